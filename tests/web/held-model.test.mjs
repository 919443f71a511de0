// A model whose files lie in the page: the source that reads them from the page's data blocks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { importModule } from '../support/built.mjs';

const { HeldSource } = await importModule('../app/held-model.js');

const block = (file, bytes) => ({
  dataset: { file, bytes: String(bytes.length) },
  textContent: gzipSync(bytes).toString('base64'),
});
const weights = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
const parts = [weights.subarray(0, 400), weights.subarray(400, 800), weights.subarray(800)];

/** A page that holds the blocks; `later` are there once all of it is read. */
function page(blocks, later = []) {
  const state = { readyState: later.length > 0 ? 'loading' : 'complete', all: blocks };
  let tell = () => {};
  globalThis.document = {
    get readyState() {
      return state.readyState;
    },
    querySelectorAll: () => state.all,
    addEventListener: (_name, listener) => (tell = listener),
  };
  return () => {
    Object.assign(state, { readyState: 'interactive', all: [...blocks, ...later] });
    tell();
  };
}

async function read({ stream }) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('files of one block and of several, whole and in part', async () => {
  page([block('config.json', Buffer.from('{}')), ...parts.map((part) => block('weights', part))]);
  const source = new HeldSource();
  assert.deepEqual(await source.list(), ['config.json', 'weights']);
  assert.equal(await source.open('vocab.txt'), null);
  assert.equal(String(await read(await source.open('config.json'))), '{}');
  for (const [start, end] of [[0, 1000], [0, 1], [399, 401], [400, 800], [800, 1000], [999, 1000], [250, 900], [0, undefined], [777, undefined], [1000, undefined], [2000, 3000]]) {
    const file = await source.open('weights', { start, end });
    const expected = weights.subarray(start, end);
    assert.equal(file.size, expected.length, `${start}-${end}`);
    assert.deepEqual(await read(file), expected, `${start}-${end}`);
  }
});

test('an empty file is there', async () => {
  page([block('empty', Buffer.alloc(0))]);
  const file = await new HeldSource().open('empty');
  assert.equal(file.size, 0);
  assert.equal((await read(file)).length, 0);
});

test('what is not read yet is waited for', async () => {
  const finish = page([block('config.json', Buffer.from('{}'))], parts.map((part) => block('weights', part)));
  const opening = new HeldSource().open('weights');
  finish();
  assert.deepEqual(await read(await opening), weights);
});
