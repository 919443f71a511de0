// Exact nearest neighbours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../support/built.mjs';

const { search } = library;
const vector = (...numbers) => Float32Array.from(numbers);
const vectors = [vector(1, 0), vector(0, 3), vector(2, 2), vector(0, 0), vector(5, 0)];

test('cosine: directions, equal ones in their order, zeros have none', () => {
  const found = search(vectors, vector(2, 0));
  assert.deepEqual(
    found.map(({ index }) => index),
    [0, 4, 2, 1, 3],
  );
  assert.equal(found[0].score, 1);
  assert.ok(Math.abs(found[2].score - Math.SQRT1_2) < 1e-7);
  assert.equal(found[4].score, 0);
});

test('dot products, topK, tensors', () => {
  assert.deepEqual(search(vectors, vector(2, 0), { metric: 'dot', topK: 2 }), [
    { index: 4, score: 10 },
    { index: 2, score: 4 },
  ]);
  const tensor = { data: vector(1, 0, 0, 3), shape: [2, 2] };
  assert.deepEqual(search(tensor, { data: vector(0, 1), shape: [2] }, { topK: 1 }), [{ index: 1, score: 1 }]);
  assert.deepEqual(search([], vector(1)), []);
});

test('other sizes and wrong options are refused', () => {
  for (const call of [
    () => search(vectors, vector(1)),
    () => search(vectors, vector(1, 0), { topK: 0 }),
    () => search(vectors, vector(1, 0), { metric: 'euclid' }),
  ]) {
    assert.throws(call, { code: 'E_INVALID_ARGUMENT' });
  }
});
