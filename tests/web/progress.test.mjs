import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importModule } from '../support/built.mjs';
import { encodeSafetensors } from '../support/safetensors.mjs';

const { ProgressMeter } = await importModule('progress.js');
const { SafetensorsSize } = await importModule('safetensors.js');

test('loaded never passes the total, and ready is whole', () => {
  const seen = [];
  const meter = new ProgressMeter((progress) => seen.push(progress));
  meter.add('files', 'config.json', 100);
  meter.expect(1000);
  meter.add('weights', 'model.safetensors', 800);
  meter.add('weights', 'model.safetensors', 800);
  meter.ready();
  assert.deepEqual(seen, [
    { phase: 'files', file: 'config.json', loaded: 100, total: null },
    { phase: 'weights', file: 'model.safetensors', loaded: 900, total: 1100 },
    { phase: 'weights', file: 'model.safetensors', loaded: 1100, total: 1100 },
    { phase: 'ready', file: '', loaded: 1100, total: 1100 },
  ]);
});

test('the size of a safetensors file is in its header', () => {
  const file = encodeSafetensors({
    a: { shape: [3], data: new Float32Array(3) },
    b: { shape: [2, 2], data: new Float32Array(4) },
  });
  for (const piece of [1, 7, 1000]) {
    const size = new SafetensorsSize();
    let known = null;
    for (let start = 0; known === null; start += piece) known = size.feed(file.subarray(start, start + piece));
    assert.equal(known, file.length);
  }
});

test('what is no safetensors file has no size', () => {
  assert.equal(new SafetensorsSize().feed(Buffer.from('<!doctype html> and more')), NaN);
  assert.equal(new SafetensorsSize().feed(Buffer.from('\x02\0\0\0\0\0\0\0[}')), NaN);
});
