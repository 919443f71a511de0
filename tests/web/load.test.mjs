// Loading: what servers and files do wrong, progress, abort.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { library, root } from '../support/built.mjs';
import { breakOff, notFound, send, serveFiles, stall, startPage } from '../support/model-server.mjs';
import { makeTinyModel, temporaryFolder, writeFolder } from '../support/tiny-model.mjs';

const { HeadlightError, load, loadTokenizer } = library;
const files = makeTinyModel();
const without = (name) => Object.fromEntries(Object.entries(files).filter(([key]) => key !== name));
const changed = (name, change) => ({ ...files, [name]: change(files[name]) });
const encode = (text) => new TextEncoder().encode(text);

/** Serves, loads, and gives the error. */
async function failure(served, options, loadOptions) {
  const server = await serveFiles(served, options);
  try {
    const error = await load(server.url, loadOptions).then(
      () => assert.fail('it loads'),
      (thrown) => thrown,
    );
    assert.ok(error instanceof HeadlightError, String(error));
    assert.equal(error.advice, library.errorAdvice[error.code]);
    return error;
  } finally {
    await server.close();
  }
}

test('from a URL, a directory, files', async () => {
  const server = await serveFiles(files);
  const list = Object.entries(files).map(([name, bytes]) => new File([bytes], name));
  const scores = [];
  for (const location of [server.url, new URL(server.url), writeFolder(files), list]) {
    const model = await load(location);
    scores.push((await model.classify('the movie was good'))[0].score);
    model.dispose();
  }
  assert.equal(new Set(scores).size, 1);
  await server.close();
});

test('only what is needed is asked for', async () => {
  const server = await serveFiles({ ...files, 'tokenizer.json': null });
  (await load(server.url)).dispose();
  assert.deepEqual([...server.requests].sort(), [
    'added_tokens.json',
    'config.json',
    'headlight.json',
    'merges.txt',
    'model.safetensors',
    'modules.json',
    'sentencepiece.bpe.model',
    'special_tokens_map.json',
    'spiece.model',
    'spm.model',
    'tokenizer.json',
    'tokenizer_config.json',
    'vocab.json',
    'vocab.txt',
  ]);
  assert.equal(server.requests[0], 'config.json');
  await server.close();
});

test('sharded weights', async () => {
  const sharded = makeTinyModel({ shards: 3 });
  const server = await serveFiles(sharded);
  const [whole, fromUrl, fromFolder] = await Promise.all(
    [writeFolder(files), server.url, writeFolder(sharded)].map((at) => load(at)),
  );
  const [expected, ...actual] = await Promise.all(
    [whole, fromUrl, fromFolder].map((model) => model.classify('a film')),
  );
  for (const labels of actual) assert.deepEqual([...labels], [...expected]);
  await server.close();
});

test('a missing shard is named', async () => {
  const { 'model-00002-of-00003.safetensors': _gone, ...sharded } = makeTinyModel({ shards: 3 });
  const error = await failure(sharded);
  assert.equal(error.code, 'E_NOT_FOUND');
  assert.match(error.file, /model-00002-of-00003\.safetensors$/);
});

test('404 for config.json or the weights is E_NOT_FOUND', async () => {
  const error = await failure(without('config.json'));
  assert.equal(error.code, 'E_NOT_FOUND');
  assert.match(error.file, /^http:.*config\.json$/);
  assert.equal((await failure(without('model.safetensors'))).code, 'E_NOT_FOUND');
  await assert.rejects(load(temporaryFolder()), { code: 'E_NOT_FOUND' });
  await assert.rejects(load('/no/such/folder'), { code: 'E_NOT_FOUND' });
});

test('a start page in place of a file is E_NOT_A_MODEL with its first bytes', async () => {
  for (const name of ['config.json', 'model.safetensors']) {
    const error = await failure(without(name), { answers: { missing: startPage } });
    assert.equal(error.code, 'E_NOT_A_MODEL');
    assert.match(error.message, /<!doctype html>/);
    assert.match(error.message, /^http:/);
  }
});

test('a start page in place of a file that may be missing is no fault', async () => {
  const server = await serveFiles(files, { answers: { missing: startPage } });
  (await load(server.url)).dispose();
  await server.close();
});

test('another status is E_NETWORK with URL and status', async () => {
  const error = await failure(files, {
    answers: { 'config.json': (_request, response) => response.writeHead(503).end() },
  });
  assert.equal(error.code, 'E_NETWORK');
  assert.match(error.message, /503.*config\.json/);
});

test('a server that is not there is E_NETWORK with URL', async () => {
  const server = await serveFiles({});
  await server.close();
  await assert.rejects(load(server.url), (error) => error.code === 'E_NETWORK' && error.message.includes(server.url));
});

test('a broken download is E_MODEL_TRUNCATED with what came', async () => {
  for (const name of ['config.json', 'model.safetensors']) {
    const error = await failure(files, { answers: { [name]: breakOff } }, { retries: 0 });
    assert.equal(error.code, 'E_MODEL_TRUNCATED');
    assert.match(error.message, new RegExp(`${name} ended after \\d+ of ${files[name].length} bytes`));
  }
});

test('a file that is cut short is E_MODEL_TRUNCATED', async () => {
  const half = (bytes) => bytes.slice(0, bytes.length / 2);
  for (const gzip of [false, true]) {
    const error = await failure(changed('model.safetensors', half), { gzip });
    assert.equal(error.code, 'E_MODEL_TRUNCATED');
    assert.equal(error.file, 'model.safetensors');
  }
});

test('a manifest tells what to ask for, the total, and what is cut short', async () => {
  const sums = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, { bytes: bytes.length, sha256: '' }]),
  );
  const packed = { ...files, 'headlight.json': encode(JSON.stringify({ format: 1, files: sums })) };
  const server = await serveFiles(packed, { gzip: true });
  const totals = [];
  (await load(server.url, { onProgress: ({ phase, total }) => phase === 'weights' && totals.push(total) })).dispose();
  assert.deepEqual([...server.requests].sort(), [...Object.keys(packed)].sort());
  assert.deepEqual(new Set(totals), new Set([Object.values(packed).reduce((sum, { length }) => sum + length, 0)]));
  await server.close();
  for (const name of ['vocab.txt', 'model.safetensors']) {
    const error = await failure({ ...packed, [name]: packed[name].slice(0, -10) }, { gzip: true });
    assert.equal(error.code, 'E_MODEL_TRUNCATED');
    assert.match(error.file, new RegExp(name));
  }
});

test('weights that the manifest lists and the server lacks', async () => {
  const sums = { 'model.safetensors': { bytes: files['model.safetensors'].length } };
  const packed = { ...without('model.safetensors'), 'headlight.json': encode(JSON.stringify({ format: 1, files: sums })) };
  assert.equal((await failure(packed)).code, 'E_NOT_FOUND');
  assert.equal((await failure(packed, { answers: { missing: startPage } })).code, 'E_NOT_A_MODEL');
});

test('damaged files are named', async () => {
  const config = (change) =>
    changed('config.json', (bytes) => encode(JSON.stringify(change(JSON.parse(new TextDecoder().decode(bytes))))));
  const weights = (change) => changed('model.safetensors', (bytes) => (change((bytes = bytes.slice())), bytes));
  const table = [
    [changed('config.json', () => encode('{"model_type": ')), 'E_INVALID_CONFIG', 'config.json'],
    [config((json) => ({ ...json, model_type: 'gpt2' })), 'E_UNSUPPORTED_FAMILY', 'config.json'],
    [config((json) => ({ ...json, hidden_size: 48 })), 'E_SHAPE_MISMATCH', 'model.safetensors'],
    [config((json) => ({ ...json, num_hidden_layers: 3 })), 'E_MISSING_TENSOR', undefined],
    [weights((bytes) => bytes.fill(255, 0, 8)), 'E_MODEL_CORRUPT', 'model.safetensors'],
    [weights((bytes) => bytes.set(encode('[['), 8)), 'E_MODEL_CORRUPT', 'model.safetensors'],
    [without('vocab.txt'), 'E_NOT_FOUND', undefined],
    [changed('headlight.json', () => encode('{"format": 99, "files": {}}')), 'E_PACK_VERSION', 'headlight.json'],
  ];
  for (const [served, code, file] of table) {
    await assert.rejects(load(writeFolder(served)), (error) => {
      assert.ok(error instanceof HeadlightError, String(error));
      assert.equal(error.code, code, error.message);
      if (file) assert.equal(error.file, file);
      return true;
    });
  }
});

test('options are checked', async () => {
  const folder = writeFolder(files);
  await assert.rejects(
    load(folder, { precision: 'int4' }),
    (error) => error.code === 'E_INVALID_ARGUMENT' && /precision.*int4/.test(error.message),
  );
  await assert.rejects(load(folder, { threads: -1 }), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(load(folder, { worker: true }), { code: 'E_WORKER' });
  await assert.rejects(load(folder, { wasmUrl: 'file:///no/such.wasm' }), { code: 'E_WASM' });
  await assert.rejects(load(7), { code: 'E_INVALID_ARGUMENT' });
});

test('progress rises to the size of the files, compressed or not', async () => {
  const sharded = makeTinyModel({ shards: 2 });
  for (const [served, gzip] of [
    [files, false],
    [files, true],
    [sharded, true],
  ]) {
    const server = await serveFiles(served, { gzip });
    const seen = [];
    (await load(server.url, { onProgress: (progress) => seen.push(progress) })).dispose();
    await server.close();
    for (const [index, { loaded, total }] of seen.entries()) {
      assert.ok(index === 0 || loaded >= seen[index - 1].loaded);
      assert.ok(total === null || loaded <= total);
    }
    const last = seen.at(-1);
    assert.equal(last.phase, 'ready');
    assert.equal(seen.filter(({ phase }) => phase === 'ready').length, 1);
    assert.equal(last.loaded, last.total);
    if (served === files)
      assert.equal(
        last.total,
        Object.values(files).reduce((sum, { length }) => sum + length, 0),
      );
    const totals = new Set(seen.filter(({ phase }) => phase === 'weights').map(({ total }) => total));
    assert.equal(totals.size, 1);
  }
});

test('an aborted load rejects with the reason and ends its downloads', async () => {
  for (const [name, gone] of [
    ['config.json', stall],
    ['vocab.txt', stall],
    ['model.safetensors', stall],
  ]) {
    const controller = new AbortController();
    let closed;
    const answer = (request, response, bytes) => {
      closed = once(response, 'close');
      gone(request, response, bytes);
      setTimeout(() => controller.abort(), 20);
    };
    const server = await serveFiles(files, { answers: { [name]: answer } });
    await assert.rejects(load(server.url, { signal: controller.signal }), { name: 'AbortError' });
    await closed;
    await server.close();
  }
});

test('an aborted signal asks for nothing', async () => {
  const server = await serveFiles(files);
  await assert.rejects(load(server.url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.deepEqual(server.requests, []);
  await server.close();
});

test('a failed load ends its downloads', async () => {
  let closed;
  const weights = (request, response, bytes) => {
    closed = once(response, 'close');
    stall(request, response, bytes);
  };
  const error = await failure(
    changed('config.json', () => encode('{}')),
    { answers: { 'model.safetensors': weights } },
  );
  assert.notEqual(error.code, 'E_INTERNAL');
  await closed;
});

test('a tokenizer needs no weights', async () => {
  const server = await serveFiles(files);
  const tokenizer = await loadTokenizer(server.url);
  assert.ok(!server.requests.some((name) => name.includes('safetensors')));
  const { ids, tokens } = await tokenizer.tokenize('The movie was fantastic!');
  assert.deepEqual(tokens, ['[CLS]', 'the', 'movie', 'was', 'fantastic', '!', '[SEP]']);
  assert.equal(await tokenizer.decode(ids), 'the movie was fantastic!');
  assert.equal(await tokenizer.tokenToId('movie'), ids[2]);
  assert.equal(await tokenizer.idToToken(ids[2]), 'movie');
  assert.equal(await tokenizer.tokenToId('nowhere'), null);
  assert.equal(await tokenizer.idToToken(1e6), null);
  await assert.rejects(tokenizer.decode([1e6]), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(tokenizer.decode(['a']), { code: 'E_INVALID_ARGUMENT' });
  tokenizer.dispose();
  await assert.rejects(tokenizer.tokenize('a'), { code: 'E_DISPOSED' });
  await server.close();
});

test('a source of one’s own', async () => {
  const opened = [];
  const source = {
    list: async () => Object.keys(files),
    open: async (name) => {
      opened.push(name);
      return files[name] ? { size: files[name].length, stream: new Blob([files[name]]).stream() } : null;
    },
  };
  const model = await load(source);
  assert.equal(model.info.family, 'bert');
  assert.deepEqual(opened, ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors']);
});

test('nothing is printed, and a logger hears what is worth saying', async () => {
  const heard = [];
  const logger = { info: (text) => heard.push(text), warn: (text) => heard.push(text) };
  (await load(writeFolder(files), { logger })).dispose();
  assert.match(heard.join('\n'), /one thread/);
});

test('answers that come late do no harm', async () => {
  const late = (request, response, bytes) => setTimeout(() => send(request, response, bytes), 30);
  const server = await serveFiles(files, {
    answers: { 'vocab.txt': late, missing: (...args) => setTimeout(() => notFound(...args), 30) },
  });
  (await load(server.url)).dispose();
  await server.close();
});

test("a pack's weights are told by their hash; a folder without a manifest has none", async () => {
  const folder = path.join(root, 'models/sentiment-en');
  const { files: listed } = JSON.parse(fs.readFileSync(path.join(folder, 'headlight.json'), 'utf8'));
  const pack = await load(folder);
  assert.equal(pack.info.weightsSha256, listed['model.int8.safetensors'].sha256);
  pack.dispose();
  const plain = await load(writeFolder(files));
  assert.equal(plain.info.weightsSha256, null);
  plain.dispose();
});
