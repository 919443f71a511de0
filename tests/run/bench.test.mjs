// The arithmetic of the benchmark.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareResults, measure } from '../../bench/measure.mjs';
import { multiplyAdds, sizes } from '../../bench/models.mjs';
import { median, quantile, ratio, summary } from '../../bench/statistics.mjs';
import { idsOf, textOf } from '../../bench/contenders/text.mjs';

test('quantiles, medians and ratios within rounds', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([0, 10], 0.25), 2.5);
  assert.deepEqual(summary([10, 10, 10]), { median: 10, least: 10, spread: 0, runs: 3 });
  assert.equal(ratio([2, 20, 200], [1, 10, 100]), 2);
});

test('a pass: the multiply-adds of its matrices', () => {
  const { hidden, layers, intermediate } = sizes['minilm-l6'];
  const weights = 4 * hidden * hidden + 2 * hidden * intermediate;
  assert.equal(multiplyAdds(sizes['minilm-l6'], 1, false), layers * (weights + 2 * hidden));
  assert.equal(multiplyAdds(sizes['minilm-l6'], 1, true), layers * (weights + 2 * hidden));
  assert.ok(multiplyAdds(sizes['minilm-l6'], 100, true) < 0.9 * multiplyAdds(sizes['minilm-l6'], 100, false));
});

test('the input has n tokens', () => {
  assert.equal(idsOf(16).length, 16);
  assert.equal(textOf(16).split(' ').length, 14);
});

test('contenders take turns, and answers that differ end the run', async () => {
  const turns = [];
  const contender = (name, result) => ({
    name,
    host: {
      run: async () => {
        turns.push(name);
        return { ms: 20, cpu: 10, result: [result] };
      },
    },
    request: (one) => one,
  });
  const rows = await measure([contender('a', 1), contender('b', 1.1)], [{ n: 1 }], { runs: 3 });
  assert.deepEqual(turns.slice(-4), ['a', 'a', 'b', 'b']);
  assert.deepEqual(turns.slice(-8, -4), ['b', 'b', 'a', 'a']);
  assert.deepEqual(rows[0].measured.map(({ times }) => times), [[20, 20, 20], [20, 20, 20]]);
  const [{ measured }] = await measure([contender('a', 1)], [{ n: 1 }], { runs: 1, clock: 'cpu' });
  assert.deepEqual(measured[0].times, [10]);
  compareResults(rows, 0.2);
  assert.throws(() => compareResults(rows, 0.05), /differ by/);
  const float32 = (...results) => [{ case: 0, measured: results.map((result, i) => ({ name: `float32 ${i}`, result: [result] })) }];
  compareResults(float32(4, 4.003), 0.2);
  assert.throws(() => compareResults(float32(4, 4.005), 0.2), /differ by/);
  assert.throws(() => compareResults([{ case: 0, measured: [{ name: 'x', result: [NaN] }, { name: 'y', result: [1] }] }], 1), /differ/);
});
