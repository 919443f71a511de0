// Memory after many loads and many calls: bench/soak.mjs in small.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryOfNode, repeatCalls, repeatLoads } from '../../bench/soak.mjs';
import { library } from '../support/built.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';

const folder = writeFolder(makeTinyModel());
const { load } = library;

test('disposal gives all memory back', async () => {
  const [first, last] = await repeatLoads({ load: () => load(folder), count: 20, at: [2, 20], sample: memoryOfNode });
  // One engine's memory alone is more than the bound.
  const model = await load(folder);
  const bound = 1 << 20;
  assert.ok((await model.counters()).heapBytes > bound);
  model.dispose();
  assert.ok(last.buffers <= first.buffers + bound, `${first.buffers} bytes, then ${last.buffers}`);
});

test('calls leave no byte in the engine', async () => {
  const model = await load(folder);
  const samples = await repeatCalls({ model, count: 1000, at: [100, 500, 1000], sample: async () => ({}) });
  const [{ heapBytes, allocatedBytes }] = samples;
  for (const sample of samples) {
    assert.deepEqual(sample, { round: sample.round, heapBytes, allocatedBytes, openRuns: 0 });
  }
  model.dispose();
});

test('calls that are aborted or refused leave no byte in the engine', async () => {
  const model = await load(folder);
  const fail = async () => {
    await assert.rejects(model.classify('a film', { topK: 0 }), { code: 'E_INVALID_ARGUMENT' });
    await assert.rejects(model.classify('good '.repeat(600), { overlong: 'error' }), { code: 'E_TOO_LONG' });
    const controller = new AbortController();
    // More than one step of work, whatever the machine.
    const texts = Array.from({ length: 32 }, () => 'good '.repeat(500));
    const run = model.classify(texts, { signal: controller.signal, onProgress: () => controller.abort() });
    await assert.rejects(run, { name: 'AbortError' });
    await model.classify('a film');
  };
  for (let round = 0; round < 10; round++) await fail();
  const before = await model.counters();
  for (let round = 0; round < 60; round++) await fail();
  const { allocatedBytes, heapBytes, openRuns } = await model.counters();
  assert.deepEqual([allocatedBytes, heapBytes, openRuns], [before.allocatedBytes, before.heapBytes, 0]);
  model.dispose();
});
