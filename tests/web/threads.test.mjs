// The engine on several threads, in Node.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dist, library, root } from '../support/built.mjs';

const folder = path.join(root, 'models/sentiment-en');
const oneCore = os.availableParallelism() === 1 && 'one core';
const texts = ['good', 'A film that is long, and slow, and not at all bad, '.repeat(8), 'The movie was good.'];
const kept = { lastHiddenState: true, attentions: true };

const dump = (value) => JSON.stringify(value, (_key, item) => (item instanceof Float32Array ? [...item] : item));

async function run(options) {
  const model = await library.load(folder, options);
  const results = dump([await model.forward(texts, kept), await model.classify(texts), await model.classify(texts[1])]);
  const { heapBytes } = await model.counters();
  model.dispose();
  await assert.rejects(model.classify('good'), { code: 'E_DISPOSED' });
  return { ...model.platform, results, heapBytes };
}

for (const build of ['simd128', 'auto']) {
  test(`two threads give what one gives, build ${build}`, { skip: oneCore }, async () => {
    const two = await run({ build, threads: 2 });
    assert.equal(two.threads, 2);
    assert.match(two.reason, /; 2 threads$/);
    const one = await run({ build });
    assert.equal(one.threads, 1);
    assert.equal(two.build, one.build);
    assert.equal(two.results, one.results);
  });
}

test("'auto' takes the cores there are, at most four", async () => {
  const { threads } = await run({ threads: 'auto' });
  assert.equal(threads, Math.min(4, os.availableParallelism()));
});

test('threads that do not start leave one', { skip: oneCore }, async () => {
  const nowhere = 'file:///no/such';
  const cases = [
    { wasmUrl: { 'relaxed-threads': nowhere, 'simd128-threads': nowhere } },
    { threadsWorkerUrl: `${nowhere}.js` },
    { threadsWorkerUrl: pathToFileURL(path.join(root, 'tests/support/no-worker.mjs')) },
  ];
  for (const options of cases) {
    const warnings = [];
    const logger = { info() {}, warn: (message) => warnings.push(message) };
    const model = await library.load(folder, { ...options, threads: 2, logger });
    assert.equal(model.platform.threads, 1);
    assert.match(model.platform.reason, /a build with threads does not start/);
    assert.equal(warnings.length, 1);
    const [{ label }] = await model.classify('a good film');
    assert.equal(label, 'POSITIVE');
    model.dispose();
  }
});

test('waiting threads keep no process alive', { skip: oneCore }, () => {
  const script = `import { load } from ${JSON.stringify(pathToFileURL(path.join(dist, 'index.js')))};
    const model = await load(${JSON.stringify(folder)}, { threads: 2 });
    console.log(model.platform.threads, (await model.classify('good'))[0].label);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0);
  assert.equal(stdout, '2 POSITIVE\n');
});
