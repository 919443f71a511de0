// The package's types, as strict as the compiler checks them, declarations of packages included.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { install, run, writeModel } from '../support/packed.mjs';

let folder;

before(() => {
  folder = install('tests/fixtures/typescript');
  writeModel(path.join(folder, 'model'));
});

function check(compiler, module, moduleResolution, ...options) {
  const tsc = path.join(folder, 'node_modules', compiler, 'bin/tsc');
  run(process.execPath, [tsc, ...options, '--module', module, '--moduleResolution', moduleResolution], folder);
}

for (const [compiler, name] of [
  ['typescript', 'TypeScript 7'],
  ['typescript-5', 'TypeScript 5.9'],
]) {
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    test(`${name}: ${resolution}; what it makes of it runs`, () => {
      fs.rmSync(path.join(folder, 'main.js'), { force: true });
      check(compiler, module, resolution, '--project', '.');
      const script = `await import('./main.js').catch((error) => { if (error.code !== 'E_INVALID_ARGUMENT') throw error; })`;
      run(process.execPath, ['--input-type=module', '--eval', script], folder);
    });
  }

  test(`${name}: a program for Node, without the types of the DOM`, () => {
    check(compiler, 'nodenext', 'nodenext', '--project', 'tsconfig.node.json');
    assert.match(run(process.execPath, ['node.js'], folder), /^3 /);
  });
}
