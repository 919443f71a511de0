import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/setup/common.mjs';

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('package.json names only files that are built', () => {
  const targets = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  for (const file of [...targets, ...Object.values(manifest.bin), ...manifest.sideEffects]) {
    assert.ok(fs.existsSync(path.join(root, file)), `${file} is not there`);
  }
});

test('types come first in every export', () => {
  for (const [name, entry] of Object.entries(manifest.exports)) {
    if (typeof entry !== 'string') assert.equal(Object.keys(entry)[0], 'types', name);
  }
});

test('package-lock.json names no registry', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved":/);
});

test('the core needs no package at run time', () => {
  const bare = /\b(?:from|import)\s*\(?\s*["']([^."'][^"']*)["']/g;
  for (const file of ['index.js', 'worker.js', 'cli.js']) {
    const imported = [...read(`dist/${file}`).matchAll(bare)].map(([, name]) => name);
    assert.deepEqual(imported.filter((name) => !name.startsWith('node:')), [], file);
  }
});
