// The package's types, as strict as the compiler checks them, declarations of packages included.

import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { install, run, writeModel } from '../support/packed.mjs';

let folder;

before(() => {
  folder = install('tests/fixtures/typescript');
  writeModel(path.join(folder, 'model'));
});

function check(compiler, module, moduleResolution) {
  const tsc = path.join(folder, 'node_modules', compiler, 'bin/tsc');
  run(process.execPath, [tsc, '--project', '.', '--module', module, '--moduleResolution', moduleResolution], folder);
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
      check(compiler, module, resolution);
      const script = `await import('./main.js').catch((error) => { if (error.code !== 'E_INVALID_ARGUMENT') throw error; })`;
      run(process.execPath, ['--input-type=module', '--eval', script], folder);
    });
  }
}
