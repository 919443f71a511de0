import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importModule } from '../support/built.mjs';

const { choosePlatform, probeFeatures } = await importModule('platform.js');

const page = { engine: true, workers: true, page: true };
const node = { engine: true, workers: false, page: false };

test('features and wishes make a platform', () => {
  const table = [
    [page, {}, true, /in a worker; one thread,/],
    [page, { worker: false }, false, /calling thread/],
    [page, { worker: true }, true, /in a worker/],
    [page, { threads: 4 }, true, /rather than the 4 asked for/],
    [{ ...page, workers: false }, {}, false, /calling thread/],
    [{ ...page, page: false }, {}, false, /calling thread/],
    [{ ...page, page: false }, { worker: true }, true, /in a worker/],
    [node, {}, false, /calling thread/],
  ];
  for (const [features, wishes, worker, reason] of table) {
    const platform = choosePlatform(features, wishes);
    assert.deepEqual({ ...platform, reason: '' }, { build: 'simd128', threads: 1, worker, reason: '' });
    assert.match(platform.reason, reason);
  }
});

test('what cannot be had is an error', () => {
  const table = [
    [{ ...page, engine: false }, {}, 'E_WASM'],
    [node, { worker: true }, 'E_WORKER'],
    [page, { threads: 0 }, 'E_INVALID_ARGUMENT'],
    [page, { threads: 1.5 }, 'E_INVALID_ARGUMENT'],
    [page, { threads: 'many' }, 'E_INVALID_ARGUMENT'],
    [page, { worker: 'yes' }, 'E_INVALID_ARGUMENT'],
  ];
  for (const [features, wishes, code] of table) assert.throws(() => choosePlatform(features, wishes), { code });
});

test('the probes know this engine', () => {
  assert.deepEqual(probeFeatures(), node);
});
