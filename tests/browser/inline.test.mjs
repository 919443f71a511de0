// bert-headlight/inline in a real Chromium: one script, under the policies that docs/packaging.md tells of.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { dist, library } from '../support/built.mjs';
import { launch } from '../support/page.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';
import { serve } from '../../scripts/serve.mjs';

const site = writeFolder({
  'index.html': '<!doctype html><link rel="icon" href="data:,"><title>Inline</title>',
  'inline.js': fs.readFileSync(path.join(dist, 'inline.js')),
});
fs.mkdirSync(path.join(site, 'model'));
for (const [name, bytes] of Object.entries(makeTinyModel())) fs.writeFileSync(path.join(site, 'model', name), bytes);

const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types headlight";
let browser;
let expected;

before(async () => {
  browser = await launch();
  const model = await library.load(path.join(site, 'model'), { build: 'simd128' });
  expected = await model.classify(['the movie was good', 'a bad film']);
});

after(() => browser?.close());

/** What `use` gives on a page with the module as its argument, and what the page asked for. */
async function visit(policy, use, headers = {}) {
  const server = await serve({ root: site, headers: { 'Content-Security-Policy': policy, ...headers } });
  const page = await browser.newPage();
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(server.url);
  const result = await page.evaluate(`import('./inline.js').then(${use})`);
  await page.close();
  await server.close();
  return { result, files: requests.map((url) => new URL(url)).filter(({ pathname }) => /\.(js|wasm)$/.test(pathname)).map(({ pathname }) => pathname) };
}

const classify = (options) => `async ({ load }) => {
  const model = await load('./model', ${JSON.stringify(options)});
  const results = await model.classify(['the movie was good', 'a bad film']);
  model.dispose();
  return { results, platform: model.platform };
}`;

for (const [name, policy, options] of [
  ['in a blob: worker', `${strict}; worker-src blob:`, {}],
  ['on the page’s thread, where no worker is allowed', strict, { worker: false }],
]) {
  test(`${name}: the numbers of the library, from one script`, async () => {
    const { result, files } = await visit(policy, classify({ ...options, build: 'simd128' }));
    assert.deepEqual(result.results, JSON.parse(JSON.stringify(expected)));
    assert.equal(result.platform.worker, options.worker ?? true);
    assert.deepEqual(files, ['/inline.js']);
  });

  test(`${name}: the build with relaxed SIMD, too`, async (t) => {
    const { result } = await visit(policy, classify(options));
    assert.equal(result.platform.build, 'relaxed', result.platform.reason);
    assert.deepEqual(result.results.map(([{ label }]) => label), expected.map(([{ label }]) => label));
    t.diagnostic(`build ${result.platform.build}`);
  });
}

test('on an isolated page: one thread, and why', async () => {
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  const { result } = await visit(`${strict}; worker-src blob:`, classify({ threads: 2 }), headers);
  assert.equal(result.platform.threads, 1);
  assert.match(result.platform.reason, /bert-headlight\/inline has one thread$/);
});

test('a policy that forbids the worker is named, and the next load works', async () => {
  const { result } = await visit(
    strict,
    `async ({ load }) => {
      const error = await load('./model').catch((error) => error);
      const model = await load('./model', { worker: false });
      return { code: error.code, message: error.message, labels: (await model.classify('a bad film')).length };
    }`,
  );
  assert.equal(result.code, 'E_WORKER');
  assert.match(result.message, /Content-Security-Policy forbids it \(worker-src\)/);
  assert.equal(result.labels, 2);
});
