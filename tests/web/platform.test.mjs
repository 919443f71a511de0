import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { importModule, library } from '../support/built.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';

const { choosePlatform, describePlatform, probeFeatures } = await importModule('platform.js');

const page = { engine: true, relaxed: false, workers: true, sharedMemory: false, cores: 8, page: true };
const isolated = { ...page, sharedMemory: true };
const node = { engine: true, relaxed: false, workers: false, sharedMemory: true, cores: 8, page: false };
const fine = (build, threads = 1) => ({ build, threads, passedOver: [] });

test('features and wishes make a build', () => {
  const table = [
    [false, {}, 'simd128', /128-bit SIMD, for this engine has no relaxed SIMD;/],
    ['wrong', {}, 'simd128', /computes relaxed SIMD wrongly;/],
    [true, {}, 'relaxed', /^relaxed SIMD;/],
    [true, { build: 'auto' }, 'relaxed', /^relaxed SIMD;/],
    [true, { build: 'relaxed' }, 'relaxed', /^relaxed SIMD;/],
    [true, { build: 'simd128' }, 'simd128', /128-bit SIMD, as asked for;/],
    [false, { build: 'simd128' }, 'simd128', /128-bit SIMD, as asked for;/],
  ];
  for (const [relaxed, wishes, build, reason] of table) {
    const choice = choosePlatform({ ...page, relaxed }, wishes);
    assert.equal(choice.build, build);
    assert.match(describePlatform(choice, fine(build)).reason, reason);
  }
});

test('features and wishes make a place', () => {
  const table = [
    [page, {}, true, /in a worker; one thread, for the page is not cross-origin isolated$/],
    [page, { worker: false }, false, /calling thread/],
    [page, { worker: true }, true, /in a worker/],
    [{ ...page, workers: false }, {}, false, /calling thread/],
    [{ ...page, page: false }, {}, false, /calling thread/],
    [{ ...page, page: false }, { worker: true }, true, /in a worker/],
    [node, {}, false, /calling thread/],
  ];
  for (const [features, wishes, worker, reason] of table) {
    const platform = describePlatform(choosePlatform(features, wishes), fine('simd128'));
    assert.deepEqual({ ...platform, reason: '' }, { build: 'simd128', threads: 1, worker, reason: '' });
    assert.match(platform.reason, reason);
  }
});

test('features and wishes make a number of threads', () => {
  const table = [
    [page, {}, 1, /one thread, for the page is not cross-origin isolated$/],
    [page, { threads: 4 }, 1, /one thread, rather than the 4 asked for, for the page is not cross-origin isolated$/],
    [page, { threads: 1 }, 1, /one thread$/],
    [isolated, {}, 4, /; 4 threads$/],
    [isolated, { threads: 'auto' }, 4, /; 4 threads$/],
    [isolated, { threads: 7 }, 7, /; 7 threads$/],
    [isolated, { threads: 9 }, 8, /; 8 threads, rather than the 9 asked for, for there are 8 cores$/],
    [{ ...isolated, cores: 2 }, {}, 2, /; 2 threads$/],
    [{ ...isolated, cores: 1 }, {}, 1, /; one thread, for there is one core$/],
    [node, {}, 1, /; one thread$/],
    [node, { threads: 'auto' }, 4, /; 4 threads$/],
    [node, { threads: 2 }, 2, /; 2 threads$/],
    [{ ...isolated, oneThread: 'x has one' }, {}, 1, /; one thread, for x has one$/],
    [{ ...isolated, oneThread: 'x has one' }, { threads: 2 }, 1, /; one thread, rather than the 2 asked for, for x has one$/],
  ];
  for (const [features, wishes, threads, reason] of table) {
    const choice = choosePlatform(features, wishes);
    assert.equal(choice.threads, threads);
    const platform = describePlatform(choice, fine('simd128', threads));
    assert.equal(platform.threads, threads);
    assert.match(platform.reason, reason);
  }
  const fallenBack = { build: 'simd128', threads: 1, passedOver: ['a build with threads does not start (x)'] };
  assert.match(
    describePlatform(choosePlatform(isolated), fallenBack).reason,
    /for a build with threads does not start \(x\);.*one thread, rather than 4$/,
  );
});

test('what cannot be had is an error', () => {
  const table = [
    [{ ...page, engine: false }, {}, 'E_WASM'],
    [page, { build: 'relaxed' }, 'E_WASM'],
    [{ ...page, relaxed: 'wrong' }, { build: 'relaxed' }, 'E_WASM'],
    [page, { build: 'scalar' }, 'E_INVALID_ARGUMENT'],
    [page, { build: 1 }, 'E_INVALID_ARGUMENT'],
    [node, { worker: true }, 'E_WORKER'],
    [page, { threads: 0 }, 'E_INVALID_ARGUMENT'],
    [page, { threads: 65 }, 'E_INVALID_ARGUMENT'],
    [page, { threads: 1.5 }, 'E_INVALID_ARGUMENT'],
    [page, { threads: 'many' }, 'E_INVALID_ARGUMENT'],
    [page, { worker: 'yes' }, 'E_INVALID_ARGUMENT'],
  ];
  for (const [features, wishes, code] of table) assert.throws(() => choosePlatform(features, wishes), { code });
});

test('the probes know this engine, and its fastest build runs', async (t) => {
  const relaxed = Number(process.versions.node.split('.')[0]) >= 22;
  assert.deepEqual(probeFeatures(), { ...node, relaxed, cores: os.availableParallelism() });
  const model = await library.load(writeFolder(makeTinyModel()));
  assert.equal(model.platform.build, relaxed ? 'relaxed' : 'simd128');
  t.diagnostic(`build ${model.platform.build}`);
});
