// The scheduler by itself, with jobs that count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importModule } from '../support/built.mjs';

const { Scheduler } = await importModule('scheduler.js');

/** A job of `steps` steps that writes what happens to it into `log`. */
function job(name, steps, log, hooks = {}) {
  let done = 0;
  return {
    ...hooks,
    begin: () => (log.push(`${name} begin`), 100),
    step: () => (log.push(`${name} ${++done}`), done < steps),
    progress: () => done / steps,
    result: () => name,
    end: () => log.push(`${name} end`),
  };
}

test('runs take turns', async () => {
  const log = [];
  const scheduler = new Scheduler();
  const results = await Promise.all([scheduler.run(job('a', 3, log)), scheduler.run(job('b', 2, log))]);
  assert.deepEqual(results, ['a', 'b']);
  const steps = log.filter((line) => /\d/.test(line));
  assert.deepEqual(steps, ['a 1', 'b 1', 'a 2', 'b 2', 'a 3']);
  assert.deepEqual(
    log.filter((line) => line.endsWith('end')),
    ['b end', 'a end'],
  );
});

test('only a few runs are open at once, and all are done', async () => {
  let open = 0;
  let most = 0;
  const scheduler = new Scheduler();
  const runs = Array.from({ length: 20 }, (_, index) => {
    const own = job(index, 3, []);
    return scheduler.run({ ...own, begin: () => ((most = Math.max(most, ++open)), own.begin()), end: () => open-- });
  });
  assert.deepEqual(
    await Promise.all(runs),
    Array.from({ length: 20 }, (_, index) => index),
  );
  assert.equal(most, 4);
  assert.equal(open, 0);
});

test('an aborted run takes no further step and is freed; the others go on', async () => {
  const log = [];
  const controller = new AbortController();
  const scheduler = new Scheduler();
  const aborted = scheduler.run(
    job('a', 5, log, {
      signal: controller.signal,
      onProgress: ({ fraction }) => fraction >= 0.4 && controller.abort(),
    }),
  );
  const other = scheduler.run(job('b', 4, log));
  await assert.rejects(aborted, { name: 'AbortError' });
  assert.equal(await other, 'b');
  assert.ok(!log.includes('a 3'));
  assert.ok(log.includes('a end'));
});

test('a run aborted before its turn is never begun', async () => {
  const log = [];
  const run = new Scheduler().run(job('a', 1, log, { signal: AbortSignal.abort() }));
  await assert.rejects(run, { name: 'AbortError' });
  assert.deepEqual(log, ['a end']);
});

test('an error rejects its own run alone', async () => {
  const log = [];
  const scheduler = new Scheduler();
  const broken = scheduler.run({
    ...job('a', 2, log),
    step() {
      throw new Error('broken');
    },
  });
  const other = scheduler.run(job('b', 2, log));
  await assert.rejects(broken, /broken/);
  assert.equal(await other, 'b');
  assert.ok(log.includes('a end'));
});

test('disposal rejects what is open and what waits', async () => {
  const scheduler = new Scheduler();
  const log = [];
  const runs = Array.from({ length: 6 }, (_, index) => scheduler.run(job(index, 1000, log)));
  setTimeout(() => scheduler.dispose(), 5);
  for (const run of runs) await assert.rejects(run, { code: 'E_DISPOSED' });
  assert.equal(log.filter((line) => line.endsWith('end')).length, 6);
});

test('progress rises to 1', async () => {
  const seen = [];
  await new Scheduler().run(job('a', 4, [], { onProgress: ({ fraction }) => seen.push(fraction) }));
  assert.deepEqual(seen, [0.25, 0.5, 0.75, 1]);
});
