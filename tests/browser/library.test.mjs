// The library in a real Chromium: in a worker and on the page's thread, the numbers of Node.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { dist, library } from '../support/built.mjs';
import { callOf, committedGolden, goldenCases, readCase, scaleOf, wholeGolden } from '../support/golden.mjs';
import { launch } from '../support/page.mjs';
import { makeTinyModel, temporaryFolder, textOf } from '../support/tiny-model.mjs';
import { serve } from '../../scripts/serve.mjs';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types headlight";
const modes = { worker: {}, 'direct mode': { worker: false } };
const goldens = goldenCases(wholeGolden ?? committedGolden);

let browser;
const servers = [];

/** A folder with the package, two models, the goldens and an empty page. */
function makeSite() {
  const site = temporaryFolder();
  fs.cpSync(dist, path.join(site, 'dist'), { recursive: true, filter: (file) => !file.endsWith('app') });
  fs.writeFileSync(
    path.join(site, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><title>Library</title>',
  );
  const models = { tiny: makeTinyModel(), larger: makeTinyModel({ hidden: 256, layers: 4, seed: 2 }) };
  for (const [name, files] of Object.entries(models)) {
    fs.mkdirSync(path.join(site, name));
    for (const [file, bytes] of Object.entries(files)) fs.writeFileSync(path.join(site, name, file), bytes);
  }
  for (const folder of goldens)
    fs.cpSync(folder, path.join(site, 'golden', path.basename(folder)), { recursive: true });
  return site;
}

const site = makeSite();

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

/** A page of the site with the library as `library`. Gives the page, what it asked for, and what it printed. */
async function open({ headers = {} } = {}) {
  const server = await serve({ root: site, headers });
  servers.push(server);
  const page = await browser.newPage();
  const requests = [];
  const messages = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.goto(server.url);
  await page.evaluate(async () => {
    globalThis.library = await import('./dist/index.js');
    globalThis.codeOf = (promise) =>
      promise.then(
        () => 'done',
        (error) => (error instanceof library.HeadlightError ? error.code : error.name),
      );
  });
  return { page, server, requests, messages };
}

/** All tensors of a result as plain lists. */
const plain = (result) =>
  JSON.parse(JSON.stringify(result, (_key, value) => (value instanceof Float32Array ? [...value] : value)));

/** The same numbers, or for the build with relaxed SIMD numbers that differ by rounding (docs/kernels.md). */
function assertClose(actual, expected, build, message) {
  if (build === 'simd128') return assert.deepEqual(actual, expected, message);
  if (!expected?.data) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), message);
    for (const key of Object.keys(expected)) assertClose(actual[key], expected[key], build, `${message}.${key}`);
    return;
  }
  assert.deepEqual(actual.shape, expected.shape, message);
  const bound = 2e-5 * Math.max(1, scaleOf(expected));
  expected.data.forEach((value, i) => assert.ok(Math.abs(actual.data[i] - value) <= bound, `${message}[${i}]`));
}

test('the build with relaxed SIMD runs', async (t) => {
  const { page } = await open();
  const platform = await page.evaluate(async () => (await library.load('./tiny')).platform);
  assert.equal(platform.build, 'relaxed', platform.reason);
  t.diagnostic(`build ${platform.build}`);
  await page.close();
});

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const several = os.availableParallelism() > 1;

for (const [mode, options] of Object.entries(modes)) {
  test(`${mode}: threads on an isolated page with a strict policy give what one gives`, { skip: !several && 'one core' }, async () => {
    const headers = { ...isolation, 'Content-Security-Policy': policy };
    const { page, server, requests, messages } = await open({ headers });
    const run = (options) =>
      page.evaluate(async (options) => {
        const model = await library.load('./larger', options);
        const results = await model.forward(['the movie was good '.repeat(60), 'a film'], { lastHiddenState: true });
        model.dispose();
        return { platform: model.platform, data: results.map(({ lastHiddenState }) => [...lastHiddenState.data]) };
      }, options);
    const automatic = await run({ ...options });
    const one = await run({ ...options, threads: 1 });
    const lost = await run({ ...options, threadsWorkerUrl: './no-such.js' });
    assert.equal(automatic.platform.threads, Math.min(4, os.availableParallelism()), automatic.platform.reason);
    assert.equal(one.platform.threads, 1);
    assert.equal(lost.platform.threads, 1);
    assert.match(lost.platform.reason, /a build with threads does not start/);
    assert.deepEqual(automatic.data, one.data);
    assert.deepEqual(lost.data, one.data);
    for (const url of requests) assert.ok(url.startsWith(server.url) || url.startsWith('data:'), url);
    assert.deepEqual(
      messages.filter((text) => !/404/.test(text)),
      [],
    );
    await page.close();
  });

  test(`${mode}: a strict policy suffices, results are those of Node, no other host is asked, nothing is printed`, async () => {
    const { page, server, requests, messages } = await open({ headers: { 'Content-Security-Policy': policy } });
    const actual = await page.evaluate(async (options) => {
      const model = await library.load('./tiny', options);
      const { worker } = model.platform;
      const labels = await model.classify(['the movie was good', { text: 'a film', textPair: 'it was bad' }]);
      const { weights, keys } = await model.attention('the movies was good', { layers: [-2], scale: 'minmax-heads' });
      const { tokens } = await model.tokenize('the movies');
      const truncated = (await model.classify('good '.repeat(600))).truncated;
      const copied = weights.data.buffer.byteLength === weights.data.byteLength;
      return { worker, labels, weights: { ...weights, data: [...weights.data] }, keys, tokens, truncated, copied };
    }, { ...options, build: 'simd128' });
    const model = await library.load(path.join(site, 'tiny'), { build: 'simd128' });
    const { weights, keys } = await model.attention('the movies was good', { layers: [-2], scale: 'minmax-heads' });
    assert.deepEqual(actual, {
      worker: options.worker !== false,
      labels: plain(await model.classify(['the movie was good', { text: 'a film', textPair: 'it was bad' }])),
      weights: plain(weights),
      keys,
      tokens: ['[CLS]', 'the', 'movie', '##s', '[SEP]'],
      truncated: (await model.classify('good '.repeat(600))).truncated,
      copied: true,
    });
    assert.ok(requests.some((url) => url.endsWith('.wasm')));
    for (const url of requests) assert.ok(url.startsWith(server.url) || url.startsWith('data:'), url);
    // Chromium itself writes a line for each 404.
    assert.deepEqual(
      messages.filter((text) => !/404/.test(text)),
      [],
    );
    await page.close();
  });

  test(`${mode}: the goldens through forward, as in Node`, async () => {
    const { page } = await open();
    const everything = { lastHiddenState: true, poolerOutput: true, hiddenStates: true, attentions: true };
    const cases = ['simd128', 'relaxed'].flatMap((build) => goldens.map((folder) => [build, folder]));
    for (const [build, folder] of cases) {
      const calls = readCase(folder)
        .golden.inputs.map((input) => callOf(input))
        .map(([text, call]) => [text, { ...call, ...everything }]);
      const name = path.basename(folder);
      const results = await page.evaluate(
        async ({ name, calls, options }) => {
          const model = await library.load(`./golden/${name}`, options);
          const results = [];
          for (const [input, call] of calls) results.push(await model.forward(input, call));
          model.dispose();
          return JSON.stringify(results, (_key, value) => (value instanceof Float32Array ? [...value] : value));
        },
        { name, calls, options: { ...options, build } },
      );
      const model = await library.load(folder, { build: 'simd128' });
      const expected = [];
      for (const [input, call] of calls) expected.push(await model.forward(input, call));
      assertClose(JSON.parse(results), plain(expected), build, `${build} ${name}`);
      model.dispose();
    }
    await page.close();
  });

  test(`${mode}: an aborted run takes at most one more step, and the next call works`, async () => {
    const { page } = await open();
    const result = await page.evaluate(
      async ({ options, text }) => {
        const model = await library.load('./larger', options);
        const expected = await model.classify(text);
        const whole = (await model.counters()).steps;
        const controller = new AbortController();
        let atAbort;
        const run = model.classify(text, {
          signal: controller.signal,
          onProgress: () => {
            if (atAbort) return;
            controller.abort();
            atAbort = model.counters();
          },
        });
        const name = await run.catch((error) => error.name);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { steps, openRuns } = await model.counters();
        const again = await model.classify(text);
        return {
          name,
          whole,
          afterAbort: steps - (await atAbort).steps,
          ofRun: steps - whole,
          openRuns,
          same: again[0].score === expected[0].score,
        };
      },
      { options, text: textOf(512) },
    );
    assert.equal(result.name, 'AbortError');
    assert.ok(result.afterAbort <= 1, `${result.afterAbort} steps`);
    assert.ok(result.ofRun < result.whole, 'the run was not done');
    assert.equal(result.openRuns, 0);
    assert.ok(result.same);
    await page.close();
  });

  test(`${mode}: errors keep code, place and advice; a load can be aborted; disposal ends the calls`, async () => {
    const { page } = await open();
    const result = await page.evaluate(async (options) => {
      const { load, HeadlightError } = library;
      const missing = await load('./none', options).catch((error) => error);
      const model = await load('./tiny', options);
      const argument = await model.classify('a', { topK: 0 }).catch((error) => error);
      const progress = [];
      const fine = await model.classify('a film', { onProgress: ({ fraction }) => progress.push(fraction) });
      const open = codeOf(model.classify('good '.repeat(500)));
      model.dispose();
      return {
        missing: [missing instanceof HeadlightError, missing.code, missing.file.endsWith('/none/config.json')],
        argument: [argument instanceof HeadlightError, argument.code, argument.advice.length > 0],
        fine: fine.length,
        progress: progress.at(-1),
        open: await open,
        later: await codeOf(model.classify('a')),
        aborted: await codeOf(load('./tiny', { ...options, signal: AbortSignal.abort() })),
        abortedLater: await codeOf(load('./larger', { ...options, signal: AbortSignal.timeout(1) })),
        wasm: await codeOf(load('./tiny', { ...options, wasmUrl: './none.wasm' })),
      };
    }, options);
    assert.deepEqual(result, {
      missing: [true, 'E_NOT_FOUND', true],
      argument: [true, 'E_INVALID_ARGUMENT', true],
      fine: 2,
      progress: 1,
      open: 'E_DISPOSED',
      later: 'E_DISPOSED',
      aborted: 'AbortError',
      abortedLater: 'TimeoutError',
      wasm: 'E_WASM',
    });
    await page.close();
  });
}

test('a worker that cannot start is E_WORKER with its URL', async () => {
  const { page } = await open();
  for (const workerUrl of ['./none.js', './index.html', 'http://foreign.test/worker.js']) {
    const error = await page.evaluate(
      (workerUrl) => library.load('./tiny', { workerUrl }).catch(({ code, message }) => ({ code, message })),
      workerUrl,
    );
    assert.equal(error.code, 'E_WORKER');
    assert.ok(error.message.includes(workerUrl.replace('./', '')), error.message);
  }
  await page.close();
});

test('a policy that forbids workers is named, and direct mode works under it', async () => {
  const { page } = await open({ headers: { 'Content-Security-Policy': `${policy}; worker-src 'none'` } });
  const result = await page.evaluate(async () => {
    const error = await library.load('./tiny').catch(({ code, message }) => ({ code, message }));
    const model = await library.load('./tiny', { worker: false });
    return { ...error, labels: (await model.classify('a film')).length };
  });
  assert.equal(result.code, 'E_WORKER');
  assert.match(result.message, /Content-Security-Policy.*worker-src/);
  assert.equal(result.labels, 2);
  await page.close();
});

test('a page that requires Trusted Types and refuses the policy headlight is told so, and direct mode works there', async () => {
  const { page } = await open({ headers: { 'Content-Security-Policy': policy.replace('trusted-types headlight', 'trusted-types other') } });
  const result = await page.evaluate(async () => {
    const error = await library.load('./tiny').catch(({ code, message }) => ({ code, message }));
    const model = await library.load('./tiny', { worker: false });
    return { ...error, labels: (await model.classify('a film')).length };
  });
  assert.equal(result.code, 'E_WORKER');
  assert.match(result.message, /Trusted Types.*policy headlight/);
  assert.equal(result.labels, 2);
  await page.close();
});

test('workers end with their models', async () => {
  const { page } = await open();
  await page.evaluate(async () => {
    globalThis.kept = await library.load('./tiny');
    for (let round = 0; round < 20; round++) {
      const model = await library.load('./tiny');
      await model.classify('a film');
      model.dispose();
      await library.load('./none').catch(() => {});
    }
  });
  for (let wait = 0; page.workers().length > 1 && wait < 50; wait++) await page.waitForTimeout(20);
  assert.equal(page.workers().length, 1);
  assert.equal(await page.evaluate(async () => (await kept.classify('a film')).length), 2);
  await page.close();
});

test('files that a user chose', async () => {
  const { page } = await open();
  const labels = await page.evaluate(async () => {
    const names = ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'];
    const files = await Promise.all(
      names.map(async (name) => new File([await (await fetch(`./tiny/${name}`)).blob()], name)),
    );
    const [a, b] = await Promise.all([library.load(files), library.load('./tiny')]);
    return [await a.classify('a film'), await b.classify('a film')];
  });
  assert.deepEqual(labels[0], labels[1]);
  await page.close();
});

test('direct mode leaves the page time between steps', async () => {
  const { page } = await open();
  const { turns, steps } = await page.evaluate(async (text) => {
    const model = await library.load('./larger', { worker: false });
    await model.classify(text);
    const before = (await model.counters()).steps;
    const channel = new MessageChannel();
    let turns = 0;
    channel.port1.onmessage = () => {
      turns++;
      channel.port2.postMessage(null);
    };
    channel.port2.postMessage(null);
    await model.classify([text, text]);
    channel.port1.close();
    return { turns, steps: (await model.counters()).steps - before };
  }, textOf(512));
  assert.ok(steps > 2);
  assert.ok(turns >= steps - 1, `${turns} turns in ${steps} steps`);
  await page.close();
});
