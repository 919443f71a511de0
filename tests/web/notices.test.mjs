// THIRD_PARTY_NOTICES names all that the package and the page hold of others, with their licences, and nothing else.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { dist, root } from '../support/built.mjs';
import { bundled, inPage, written } from '../../scripts/notices.mjs';

const read = (...names) => fs.readFileSync(path.join(root, ...names), 'utf8');
const notices = read('THIRD_PARTY_NOTICES');
const sections = new Map(
  [...notices.matchAll(/^=+\n(.+)\n(.+)\n=+\n([^=]*(?:=(?!={20})[^=]*)*)/gm)].map(([, name, where, text]) => [name, { where, text }]),
);

test('the package bundles no package; those that the page bundles are there with their licences, and no other', () => {
  const { exports, bin } = JSON.parse(read('package.json'));
  const targets = [...Object.values(exports), ...Object.values(bin)].map((target) => target.default ?? target);
  const entries = targets.flatMap((target) => /dist\/(.*)\.js$/.exec(target)?.[1] ?? []);
  assert.ok(entries.length >= 8);
  for (const name of entries) assert.deepEqual(bundled()[name], [], name);
  assert.ok(inPage().includes('lit'));
  assert.equal(notices, written(), 'run: npm run notices');
});

test('what CMake fetches for the engine is there, what it fetches for the tests is not', () => {
  const cmake = read('cmake/dependencies.cmake');
  const versions = JSON.parse(read('cmake/dependencies.json'));
  const tests = cmake.slice(cmake.indexOf('if(HEADLIGHT_BUILD_TESTS)'));
  const fetched = (text) => [...text.matchAll(/^\s*headlight_fetch\((\w+)/gm)].map(([, name]) => name);
  const product = fetched(cmake.replace(tests, ''));
  assert.deepEqual([...product, ...fetched(tests)].sort(), Object.keys(versions).sort());
  const heading = (name) => [...sections.keys()].find((section) => section.toLowerCase().replace(/\W/g, '_').startsWith(name));
  for (const name of product) assert.equal(heading(name)?.split(' ').at(-1), versions[name].version, name);
  for (const name of fetched(tests)) assert.equal(heading(name), undefined, name);
});

test('the engine: the runtime that Emscripten links, and the tables of Unicode', () => {
  const allocator = /-sMALLOC=(\w+)/.exec(read('wasm/CMakeLists.txt'))[1];
  assert.ok([...sections.keys()].some((name) => name.startsWith('Emscripten') && name.includes(allocator)));
  for (const part of ['musl', 'libc++', 'libc++abi', 'libunwind', 'compiler-rt']) {
    assert.ok([...sections.keys()].some((name) => name.includes(part)), part);
  }
  for (const table of fs.readdirSync(path.join(root, 'src/text')).filter((name) => name.startsWith('unicode') && name.endsWith('.inc'))) {
    const version = /tokenizers [\d.]+\d/.exec(read('src/text', table));
    if (version) assert.ok(sections.get('Unicode data').text.includes(version[0]), table);
  }
});

test('licence and notices are shipped', () => {
  const { files } = JSON.parse(read('package.json'));
  assert.ok(files.includes('THIRD_PARTY_NOTICES'));
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES']) {
    assert.equal(fs.readFileSync(path.join(dist, 'app', `${name}.txt`), 'utf8'), read(name));
  }
});
