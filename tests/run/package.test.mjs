import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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

test('the package holds the library and the page, no file twice, and no model', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const files = JSON.parse(stdout)[0].files.map(({ path: file }) => file);
  assert.ok(files.includes('dist/index.js') && files.includes('dist/headlight.wasm'));
  const foreign = files.filter((file) => !/^dist\/|^(package\.json|README\.md|LICENSE|THIRD_PARTY_NOTICES)$/.test(file));
  assert.deepEqual(foreign, []);
  assert.ok(files.includes('dist/app/index.html') && files.includes('dist/app/sw.js') && files.includes('dist/single-file.js'));
  assert.deepEqual(files.filter((file) => /models\/|\.safetensors$|^dist\/app\/.*(\.wasm|worker\.js)$/.test(file)), []);
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
