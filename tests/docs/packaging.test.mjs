// docs/packaging.md shows the examples as they are, and names every one and every export.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../support/built.mjs';

const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const page = read('docs/packaging.md');

test('the blocks are the files that they are said to be', () => {
  const blocks = [...page.matchAll(/^`(examples\/\S+)`:\n\n```\w+\n(.*?)^```/gms)];
  const unnamed = [...page.matchAll(/^```(\w+)/gm)].filter(([, language]) => language !== 'ts');
  assert.ok(blocks.length >= 6);
  assert.equal(blocks.length, unnamed.length);
  for (const [, file, code] of blocks) assert.equal(code, read(file), file);
});

test('every example is linked, and every export named', () => {
  const folders = fs.readdirSync(path.join(root, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) assert.ok(page.includes(`(../examples/${name})`), name);
  for (const name of Object.keys(JSON.parse(read('package.json')).exports)) {
    const told = name === '.' ? '`bert-headlight`' : name.endsWith('.wasm') ? name.slice(1) : `bert-headlight${name.slice(1)}\``;
    if (name !== './package.json') assert.ok(page.includes(told), name);
  }
});

test('the examples name exact versions of what they are built with, and no registry', () => {
  for (const folder of fs.readdirSync(path.join(root, 'examples'))) {
    const { version } = JSON.parse(read('package.json'));
    const { dependencies, devDependencies } = JSON.parse(read(`examples/${folder}/package.json`));
    assert.equal(dependencies['bert-headlight'], version);
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) assert.match(range, /^\d+\.\d+\.\d+$/, name);
    assert.ok(!fs.existsSync(path.join(root, 'examples', folder, 'package-lock.json')));
  }
});
