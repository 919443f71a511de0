// Downloads that break off, are taken up again, and change on the way.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { importModule, library } from '../support/built.mjs';
import { breaking, notFound, serveFiles, startPage } from '../support/model-server.mjs';
import { makeTinyModel, manifestOf, writeFolder } from '../support/tiny-model.mjs';

const { HeadlightError, load } = library;
const { Sha256, sumOf } = await importModule('sha256.js');
const files = makeTinyModel();
const weights = files['model.safetensors'];
const half = Math.floor(weights.length / 2);
const scoreOf = async (model) => (await model.classify('the movie was good'))[0].score;
const expected = await scoreOf(await load(writeFolder(files)));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Loads from a server that answers so for the weights. */
async function loadFrom(answer, options, served = files) {
  const server = await serveFiles(served, { answers: { 'model.safetensors': answer } });
  try {
    return await load(server.url, options);
  } finally {
    await server.close();
  }
}

test('SHA-256 piece by piece', async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 7 + length);
    for (const cut of [0, 1, 63, 64, length]) {
      const sum = new Sha256();
      sum.update(bytes.subarray(0, cut));
      sum.update(bytes.subarray(cut));
      assert.equal(sum.digest(), sha256(bytes), `${length} bytes cut at ${cut}`);
    }
    assert.equal(await sumOf(bytes), sha256(bytes));
  }
});

test('a download that breaks at its half goes on from there, and progress tells of it', async () => {
  const { answer, asked } = breaking([half]);
  const seen = [];
  const warnings = [];
  const logger = { info() {}, warn: (message) => warnings.push(message) };
  const model = await loadFrom(answer, { onProgress: (progress) => seen.push(progress), logger });
  assert.equal(await scoreOf(model), expected);
  assert.deepEqual(asked, [
    { range: undefined, condition: undefined },
    { range: `bytes=${half}-`, condition: '"1"' },
  ]);
  const retries = seen.filter(({ retry }) => retry);
  assert.equal(retries.length, 1);
  assert.match(retries[0].file, /model\.safetensors$/);
  assert.deepEqual({ ...retries[0].retry, reason: '' }, { attempt: 1, of: 4, waitMilliseconds: 500, reason: '' });
  for (const [index, { loaded, total }] of seen.entries()) {
    assert.ok(index === 0 || loaded >= seen[index - 1].loaded);
    assert.ok(total === null || loaded <= total);
  }
  assert.equal(warnings.filter((message) => message.includes(`broke off after ${half} bytes`)).length, 1);
});

test('a server without ranges, without versions, with compression', async () => {
  const table = [
    [{ ranges: false }, [undefined, `bytes=${half}-`]],
    [{ tag: () => undefined }, [undefined, `bytes=${half}-`]],
    [{ gzip: true }, [undefined, undefined]],
  ];
  await Promise.all(
    table.map(async ([options, ranges]) => {
      const { answer, asked } = breaking([half], options);
      assert.equal(await scoreOf(await loadFrom(answer)), expected);
      assert.deepEqual(
        asked.map(({ range }) => range),
        ranges,
      );
    }),
  );
});

test('a file that changes while it is downloaded is named, and not asked for again', async () => {
  const { answer, asked } = breaking([half], { tag: (count) => `"${count}"` });
  await assert.rejects(loadFrom(answer), (error) => {
    assert.ok(error instanceof HeadlightError);
    assert.equal(error.code, 'E_NETWORK');
    assert.match(error.message, /model\.safetensors changed on the server/);
    return true;
  });
  // The second tells that there is another version; the whole of it is not waited for.
  assert.equal(asked.length, 2);
});

test('attempts are bounded, and the next call works', async () => {
  const { answer, asked } = breaking([half, 0]);
  await assert.rejects(loadFrom(answer, { retries: 1 }), { code: 'E_MODEL_TRUNCATED', offset: half });
  assert.equal(asked.length, 2);
  assert.equal(await scoreOf(await loadFrom(answer)), expected);
});

test('retries that are no number', async () => {
  for (const retries of [-1, 1.5, NaN, '3']) {
    await assert.rejects(load('http://localhost:1/', { retries }), { code: 'E_INVALID_ARGUMENT' });
  }
});

test('an abort ends the wait for the next attempt', async () => {
  const { answer, asked } = breaking([half]);
  const controller = new AbortController();
  const onProgress = ({ retry }) => retry && controller.abort();
  await assert.rejects(loadFrom(answer, { onProgress, signal: controller.signal }), { name: 'AbortError' });
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(asked.length, 1);
});

test('a server that stops answering after config.json is asked again', async () => {
  let refused = 0;
  const answer = (request, response) => {
    if (refused++ === 0) return response.writeHead(503).end();
    response.writeHead(200).end(weights);
  };
  assert.equal(await scoreOf(await loadFrom(answer)), expected);
  assert.equal(refused, 2);
});

test('a changed byte is named by the manifest’s sum', async () => {
  const packed = { ...files, 'headlight.json': manifestOf(files) };
  assert.equal(await scoreOf(await load(writeFolder(packed))), expected);
  for (const name of Object.keys(files)) {
    const changed = Buffer.from(files[name]);
    changed[changed.length - 2] ^= 1;
    const server = await serveFiles({ ...packed, [name]: changed });
    for (const location of [server.url, writeFolder({ ...packed, [name]: changed })]) {
      await assert.rejects(load(location), (error) => {
        assert.ok(error instanceof HeadlightError, String(error));
        assert.equal(error.code, 'E_MODEL_CORRUPT', error.message);
        assert.ok(error.file.endsWith(name), error.file);
        assert.match(error.message, /does not have the SHA-256 sum/);
        return true;
      });
    }
    await server.close();
  }
  const longer = { ...packed, 'vocab.txt': Buffer.concat([files['vocab.txt'], Buffer.from('x\n')]) };
  await assert.rejects(load(writeFolder(longer)), { code: 'E_MODEL_CORRUPT', message: /vocab\.txt has \d+ bytes/ });
});

test('a 404 page and a start page in place of the weights, then the weights', async () => {
  let answer;
  const server = await serveFiles(files, { answers: { 'model.safetensors': (...args) => answer(...args) } });
  const page = (_request, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html>');
  for (const [wrong, code] of [
    [page, 'E_NOT_FOUND'],
    [notFound, 'E_NOT_FOUND'],
    [startPage, 'E_NOT_A_MODEL'],
  ]) {
    answer = wrong;
    await assert.rejects(load(server.url), { code });
  }
  answer = (_request, response) => response.end(weights);
  assert.equal(await scoreOf(await load(server.url)), expected);
  await server.close();
});
