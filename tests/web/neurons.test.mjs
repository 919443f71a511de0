// Queries against keys: what softmax makes of the scores is the attention that the model gives.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { importModule, library } from '../support/built.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';

const { neurons } = await importModule('elements/views.js');

const model = await library.load(writeFolder(makeTinyModel()));
after(() => model.dispose());

function softmax(scores) {
  const powers = [...scores].map(Math.exp);
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

test('the products of a key add up to its score, and softmax of the scores is the attention', async () => {
  const { queries, keys, attentions } = await model.forward('a b', { queriesKeysValues: true, attentions: true });
  const { numHiddenLayers: layers, numAttentionHeads: heads } = model.info;
  assert.equal(queries.length, layers);
  for (let layer = 0; layer < layers; layer++) {
    const [, n, size] = queries[layer].shape;
    for (let head = 0; head < heads; head++) {
      for (let token = 0; token < n; token++) {
        const result = neurons(queries[layer], keys[layer], head, token);
        assert.equal(result.size, size);
        assert.equal(result.query.length, size);
        assert.equal(result.keys.length, n * size);
        assert.equal(result.products.length, n * size);
        const row = attentions[layer].data.subarray((head * n + token) * n, (head * n + token + 1) * n);
        softmax(result.scores).forEach((share, key) => assert.ok(Math.abs(share - row[key]) < 1e-5, `${share}, not ${row[key]}`));
      }
    }
  }
});

test('shapes that differ, heads and tokens that are not there are refused', () => {
  const tensor = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
  assert.throws(() => neurons(tensor(2, 3, 4), tensor(2, 3, 5), 0, 0), RangeError);
  assert.throws(() => neurons(tensor(3, 4), tensor(3, 4), 0, 0), RangeError);
  for (const [head, token] of [[2, 0], [-1, 0], [0, 3], [0.5, 0], [0, NaN]]) {
    assert.throws(() => neurons(tensor(2, 3, 4), tensor(2, 3, 4), head, token), RangeError);
  }
});
