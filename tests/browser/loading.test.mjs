// Loading in a real Chromium: the browser's storage, broken downloads, a full disk, several tabs, workers that end.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { dist, library, root } from '../support/built.mjs';
import { breaking, sendTyped, serveFiles, startPage, tagged } from '../support/model-server.mjs';
import { launch } from '../support/page.mjs';
import { makeTinyModel, manifestOf, textOf, writeFolder } from '../support/tiny-model.mjs';

/** Of three segments. */
const files = makeTinyModel({ hidden: 256, layers: 4 });
const packed = { ...files, 'headlight.json': manifestOf(files) };
const weights = files['model.safetensors'];
const half = weights.length >> 1;
const segmentBytes = 1 << 22;
const [expected] = await (await library.load(writeFolder(files))).classify('the movie was good');

const site = { '': '<!doctype html><link rel="icon" href="data:,"><title>Loading</title>' };
for (const name of fs.readdirSync(dist, { recursive: true })) {
  const file = path.join(dist, name);
  if (/^(?!app).*\.(js|wasm)$/.test(name)) site[`dist/${name.replaceAll(path.sep, '/')}`] = fs.readFileSync(file);
}

site['own-worker.js'] = `
  const library = await import('./dist/index.js');
  const warnings = [];
  const logger = { info() {}, warn: (text) => warnings.push(text) };
  const model = await library.load('./model', { cache: 'persistent', logger });
  const [{ score }] = await model.classify('the movie was good');
  postMessage({ score, warnings, copies: await library.cachedFiles() });
`;

let browser;
const servers = [];

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

/**
 * A server of the library and of `model` below /model/, with versions of its files, and a page of it. `asked()`: what
 * was asked for below /model/ since it was called last.
 */
async function open(model = packed, answers = {}) {
  const below = (entries) => Object.fromEntries(Object.entries(entries).map(([name, value]) => [`model/${name}`, value]));
  const served = { ...site, ...below(model) };
  const chosen = {};
  for (const name of Object.keys(site)) chosen[name] = sendTyped;
  for (const name of Object.keys(model)) chosen[`model/${name}`] = tagged;
  Object.assign(chosen, below(answers), answers.missing && { missing: answers.missing });
  const server = await serveFiles(served, { answers: chosen });
  servers.push(server);
  let seen = 0;
  const asked = () => {
    const from = seen;
    seen = server.requests.length;
    return server.requests
      .slice(from)
      .map((name, index) => `${server.methods[from + index]} ${name}`)
      .filter((request) => request.includes('model/'))
      .map((request) => request.replace('model/', ''));
  };
  const context = await browser.newContext();
  const visit = async () => {
    const page = await context.newPage();
    await arrive(page);
    return page;
  };
  const arrive = async (page) => {
    await page.goto(server.url);
    await page.evaluate(prepare);
  };
  return { server, served, answers: chosen, asked, context, visit, arrive, page: await visit() };
}

/** In the page: `read(options)` loads, reads a text, and gives the score or the error's code, with what the logger heard. */
async function prepare() {
  globalThis.library = await import('./dist/index.js');
  globalThis.read = async (options) => {
    const warnings = [];
    const logger = { info() {}, warn: (text) => warnings.push(text) };
    try {
      const model = await library.load('./model', { cache: 'persistent', logger, ...options });
      const [{ score }] = await model.classify('the movie was good');
      model.dispose();
      return { score, warnings };
    } catch ({ code, name, message }) {
      return { code: code ?? name, message, warnings };
    }
  };
  globalThis.copyOfWeights = async () => {
    const copies = await library.cachedFiles();
    return copies.find(({ url }) => url.endsWith('model.safetensors')) ?? null;
  };
}

const read = (page, options) => page.evaluate((given) => read(given), options);
const gets = (requests) => requests.filter((request) => request.startsWith('GET') && packed[request.slice(4)]);
const assertRead = ({ score, ...failure }, message) =>
  assert.ok(Math.abs(score - expected.score) < 1e-5, `${message ?? ''} ${JSON.stringify(failure)}`);

/** Milliseconds between what is sent and the break: Chromium drops what it has not handed on by then. */
const wait = 1000;

test('a download that is killed at its half goes on after a reload; then no byte, and no network, is needed', async () => {
  const { answer, asked: ranges } = breaking([half], { wait });
  const { page, asked, arrive, context } = await open(packed, { 'model.safetensors': answer });
  assert.equal((await read(page, { retries: 0 })).code, 'E_MODEL_TRUNCATED');
  await arrive(page);
  const begun = await page.evaluate(() => copyOfWeights());
  assert.equal(begun.complete, false);
  assert.ok(begun.bytes > half - segmentBytes && begun.bytes <= half, `${begun.bytes} of ${half}`);
  assertRead(await read(page));
  assert.deepEqual(ranges.at(-1), { range: `bytes=${begun.bytes}-`, condition: '"1"' });
  asked();
  assertRead(await read(page));
  assert.deepEqual(asked(), ['HEAD config.json', 'HEAD headlight.json']);
  // The library and the engine are the page's to keep.
  await context.route('**/model/**', (route) => route.abort());
  assertRead(await read(page));
  await context.close();
});

test('a download that breaks off is taken up again at once', async () => {
  const { answer, asked } = breaking([half, 1e6], { wait });
  const { page, context } = await open(packed, { 'model.safetensors': answer });
  const retries = await page.evaluate(async () => {
    const seen = [];
    await library.prefetch('./model', { onProgress: ({ retry }) => retry && seen.push([retry.attempt, retry.waitMilliseconds]) });
    return seen;
  });
  assert.deepEqual(retries, [
    [1, 500],
    [2, 1000],
  ]);
  // Chromium drops what came just before the break.
  const starts = asked.map(({ range }) => Number(/\d+/.exec(range)?.[0] ?? 0));
  assert.equal(starts.length, 3);
  assert.ok(starts[1] > half - 1e6 && starts[1] <= half && starts[2] > starts[1], starts.join());
  assertRead(await read(page));
  await context.close();
});

test('a full disk only warns; with room the files are kept', async () => {
  const { server, page, asked, context } = await open();
  const session = await context.newCDPSession(page);
  const origin = new URL(server.url).origin;
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2e6 });
  const full = await read(page);
  assertRead(full);
  // Chromium may tell of it by the pipe that it closed.
  assert.equal(full.warnings.filter((text) => /not kept: the storage failed \((Quota|AbortError: Failed to write data to data pipe)/.test(text)).length, 1, full.warnings.join());
  assert.equal(await page.evaluate(() => copyOfWeights()), null);
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  assertRead(await read(page));
  asked();
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), []);
  await context.close();
});

test('storage that is not to be had leaves memory', async () => {
  const { page, asked, context } = await open();
  await page.evaluate(() => {
    navigator.storage.getDirectory = async () => {
      throw new DOMException('no storage in private windows', 'SecurityError');
    };
  });
  const first = await read(page);
  assertRead(first);
  assert.match(first.warnings.join(), /SecurityError.*kept in memory/);
  asked();
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), []);
  await context.close();
});

test('a page that cannot write has its worker write', async () => {
  const { page, asked, context } = await open();
  await page.evaluate(() => delete FileSystemFileHandle.prototype.createWritable);
  const first = await read(page);
  assertRead(first);
  assert.deepEqual(first.warnings, []);
  const copy = await page.evaluate(() => copyOfWeights());
  assert.deepEqual([copy.bytes, copy.complete], [weights.length, true]);
  asked();
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), []);
  for (let wait = 0; page.workers().length > 0 && wait < 200; wait++) await page.waitForTimeout(20);
  assert.equal(page.workers().length, 0);
  await context.close();
});

test('in a worker of one’s own, and then on the page', async () => {
  const { page, asked, context } = await open();
  const inWorker = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('./own-worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => (worker.terminate(), resolve(data));
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );
  assertRead(inWorker);
  assert.deepEqual(inWorker.warnings, []);
  assert.ok(inWorker.copies.every(({ complete, inMemory }) => complete && !inMemory));
  asked();
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), []);
  await context.close();
});

test('a changed byte in the storage is found, and downloaded again', async () => {
  const { page, asked, context } = await open();
  assertRead(await read(page));
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('headlight-cache');
    for await (const [name, handle] of folder.entries()) {
      if (!name.endsWith('-1')) continue;
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      bytes[1000] ^= 1;
      const stream = await handle.createWritable();
      await stream.write(bytes);
      await stream.close();
    }
  });
  asked();
  const healed = await read(page);
  assertRead(healed);
  assert.match(healed.warnings.join(), new RegExp(`damaged from byte ${segmentBytes} on`));
  assert.deepEqual(gets(asked()), ['GET model.safetensors']);
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), []);
  await context.close();
});

test('a start page, a 404 page and a changed byte on the server are named, and not kept', async () => {
  const { page, served, answers, context } = await open({ ...packed, 'model.safetensors': null }, { missing: startPage });
  delete answers['model/model.safetensors'];
  delete served['model/model.safetensors'];
  assert.equal((await read(page)).code, 'E_NOT_A_MODEL');
  answers.missing = (_request, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html>');
  assert.equal((await read(page)).code, 'E_NOT_FOUND');
  const changed = Buffer.from(weights);
  changed[changed.length - 1] ^= 1;
  served['model/model.safetensors'] = changed;
  const error = await read(page);
  assert.equal(error.code, 'E_MODEL_CORRUPT');
  assert.match(error.message, /model\/model\.safetensors does not have the SHA-256 sum/);
  assert.equal(await page.evaluate(() => copyOfWeights()), null);
  served['model/model.safetensors'] = weights;
  assertRead(await read(page));
  await context.close();
});

test('two tabs at once', async () => {
  const { page, visit, asked, context } = await open();
  const other = await visit();
  const results = await Promise.all([read(page), read(other)]);
  results.forEach((result) => assertRead(result));
  asked();
  for (const tab of [page, other]) assertRead(await read(tab));
  assert.deepEqual(gets(asked()), []);
  const copy = await page.evaluate(() => copyOfWeights());
  assert.deepEqual([copy.bytes, copy.complete], [weights.length, true]);
  await context.close();
});

test('copies are listed and cleared', async () => {
  const { page, server, context } = await open();
  const { copies, cleared, left } = await page.evaluate(async () => {
    const copies = await library.prefetch('./model');
    return { copies, cleared: await library.clearCache({ location: './model' }), left: await library.cachedFiles() };
  });
  const sizes = Object.fromEntries(copies.map(({ url, bytes }) => [url.slice(`${server.url}model/`.length), bytes]));
  assert.deepEqual(sizes, Object.fromEntries(Object.entries(packed).map(([name, { length }]) => [name, length])));
  assert.equal(
    cleared,
    Object.values(packed).reduce((sum, { length }) => sum + length, 0),
  );
  assert.deepEqual(left, []);
  await context.close();
});

test('the code of docs/reliability.md runs as it stands there', async () => {
  const { page, context } = await open();
  const text = fs.readFileSync(path.join(root, 'docs/reliability.md'), 'utf8');
  const blocks = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code.replace(/^import (.*) from .*$/m, 'const $1 = library;'));
  assert.equal(blocks.length, 1);
  const title = await page.evaluate(async (code) => {
    document.body.append(document.createElement('progress'));
    await new (async () => {}).constructor(code)();
    return document.title;
  }, blocks[0]);
  const bytes = Object.values(packed).reduce((sum, { length }) => sum + length, 0);
  assert.equal(title, `${(bytes / 1e6).toFixed(1)} MB kept`);
  assert.deepEqual(await page.evaluate(() => library.cachedFiles()), []);
  await context.close();
});

test('an aborted load ends, and the next goes on', async () => {
  const { page, asked, context } = await open();
  const aborted = await page.evaluate(async () => {
    const controller = new AbortController();
    const onProgress = ({ phase, loaded }) => phase === 'weights' && loaded > 5e6 && controller.abort();
    const { name } = await library.prefetch('./model', { signal: controller.signal, onProgress }).catch((error) => error);
    while (!((await copyOfWeights())?.bytes > 0)) await new Promise((resolve) => setTimeout(resolve, 20));
    return name;
  });
  assert.equal(aborted, 'AbortError');
  asked();
  assertRead(await read(page));
  assert.deepEqual(gets(asked()), ['GET model.safetensors']);
  await context.close();
});

test('a worker that is ended rejects its calls, the model beside it works on, and load works again', async () => {
  const { page, context } = await open();
  const result = await page.evaluate(async (text) => {
    const workers = [];
    globalThis.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        workers.push(this);
      }
    };
    const [doomed, other] = [await library.load('./model'), await library.load('./model')];
    const caught = (error) => ({ code: error.code, message: error.message, advice: error.advice });
    const calls = [doomed.classify(text).catch(caught), doomed.tokenize('a film').catch(caught)];
    const aside = other.classify(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
    workers[0].terminate();
    const ended = await Promise.all(calls);
    const loading = library
      .load('./model', { onProgress: ({ phase }) => phase === 'weights' && workers.at(-1).terminate() })
      .catch(caught);
    return {
      loading: await loading,
      errors: [ended[0], await doomed.classify('a').catch(caught)],
      aside: (await aside).length,
      again: await read(),
      disposed: (doomed.dispose(), other.dispose()),
    };
  }, textOf(512));
  for (const error of [...result.errors, result.loading]) {
    assert.equal(error.code, 'E_WORKER');
    assert.match(error.message, /was ended/);
    assert.match(error.advice, /^Load the model again/);
  }
  assert.equal(result.aside, 2);
  assertRead(result.again);
  for (let wait = 0; page.workers().length > 0 && wait < 50; wait++) await page.waitForTimeout(20);
  assert.equal(page.workers().length, 0);
  await context.close();
});

test('calls of one model end in order; two models run side by side', async () => {
  const { page, context } = await open();
  const { order, begun } = await page.evaluate(async (text) => {
    const [one, two] = await Promise.all([library.load('./model'), library.load('./model')]);
    const order = [];
    const calls = Array.from({ length: 12 }, (_, index) => one.classify('a film').then(() => order.push(index)));
    await Promise.all(calls);
    // Each has begun before the other is done.
    const begun = { one: false, two: false };
    const running = { one: true, two: true };
    const run = async (model, name, other) => {
      await model.classify([text, text, text], { onProgress: () => (begun[name] ||= running[other]) });
      running[name] = false;
    };
    await Promise.all([run(one, 'one', 'two'), run(two, 'two', 'one')]);
    one.dispose();
    two.dispose();
    return { order, begun };
  }, textOf(512));
  assert.deepEqual(
    order,
    Array.from({ length: 12 }, (_, index) => index),
  );
  assert.deepEqual(begun, { one: true, two: true });
  await context.close();
});
