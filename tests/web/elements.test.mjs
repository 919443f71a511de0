import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { importModule, root } from '../support/built.mjs';

const derive = await importModule('elements/derive.js');
const { strongestLinks } = await importModule('elements/links.js');
const { headMeasure } = await importModule('elements/measures.js');
const { segment } = await importModule('elements/segments.js');
const { csv, formatWeight } = await importModule('elements/text-format.js');
const { sceneToSvg } = await importModule('elements/scene.js');

const token = (text, start, end, wordId, sequenceId = 0) => ({ text, id: 1, start, end, sequenceId, wordId });
const special = (text) => ({ text, id: 0, start: 0, end: 0, sequenceId: null, wordId: null });

// Two layers, three heads, four tokens; every weight different.
const size = 4;
const maps = {
  data: Float32Array.from({ length: 2 * 3 * size * size }, (_, i) => ((i * 37) % 101) / 101),
  layers: 2,
  heads: 3,
  size,
};
const at = (l, h, q, k) => maps.data[((l * 3 + h) * size + q) * size + k];
const near = (actual, expected) => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) < 1e-6, `${i}: ${value}, not ${expected[i]}`),
  );
};

test('maps come from attention of all queries and nothing else', () => {
  const weights = { data: maps.data, shape: [2, 3, 4, 4], axes: ['layer', 'head', 'query', 'key'] };
  assert.deepEqual(derive.mapsOf({ weights }), maps);
  const row = { data: new Float32Array(12), shape: [3, 4], axes: ['head', 'key'] };
  assert.throws(() => derive.mapsOf({ weights: row }), RangeError);
});

test('the pieces of a word are one group, special tokens stand alone', () => {
  const tokens = [
    special('[CLS]'),
    token('head', 0, 4, 0),
    token('##ache', 4, 8, 0),
    token('and', 9, 12, 1),
    special('[SEP]'),
  ];
  assert.deepEqual(derive.wordGroups(tokens), [[0], [1, 2], [3], [4]]);
  const pair = [token('a', 0, 1, 0), token('b', 0, 1, 0, 1)];
  assert.deepEqual(derive.wordGroups(pair), [[0], [1]]);
});

test('a row sums over the keys of a group and means over queries and layers', () => {
  const groups = [[0], [1, 2], [3]];
  const rows = derive.headRows(maps, 1, [2], groups);
  near(
    rows,
    [0, 1, 2].flatMap((h) => [at(1, h, 2, 0), at(1, h, 2, 1) + at(1, h, 2, 2), at(1, h, 2, 3)]),
  );
  const both = derive.headRows(maps, 'all', [1, 2], [[3]]);
  near(
    both,
    [0, 1, 2].map((h) => (at(0, h, 1, 3) + at(0, h, 2, 3) + at(1, h, 1, 3) + at(1, h, 2, 3)) / 4),
  );
});

test('options that there are not, and values that they do not have, are refused', () => {
  const refused = (message) => ({ name: 'RangeError', message });
  const all = { layer: 0, head: 0, query: [0], groups: [[0]], lit: [true], scale: 'none' };
  for (const call of [
    (options) => derive.headRows(maps, 1, [2], [[0]], options),
    (options) => derive.layerRows(maps, 1, [2], [[0]], options),
    (options) => derive.light(maps, { ...all, ...options }),
  ]) {
    assert.throws(() => call({ dirction: 'to' }), refused(/no option 'dirction'; there are .*direction/));
    assert.throws(() => call({ direction: 'form' }), refused(/direction must be one of from, to, not form/));
    assert.throws(() => call({ reduce: 'men' }), refused(/reduce must be one of mean, max, not men/));
    assert.equal(call({ reduce: undefined }) instanceof Object, true);
  }
  assert.throws(() => derive.light(maps, { ...all, scale: 'bright' }), refused(/scale must be/));
  assert.throws(() => headMeasure(maps, [], 'breath'), refused(/measure must be/));
});

test('maps mean over layers and heads, and merge by words', () => {
  near(derive.meanMap(maps, 1, 2), [...maps.data.subarray(5 * 16, 6 * 16)]);
  const mean = derive.meanMap(maps, 0, 'all');
  assert.ok(Math.abs(mean[5] - (at(0, 0, 1, 1) + at(0, 1, 1, 1) + at(0, 2, 1, 1)) / 3) < 1e-6);
  const merged = derive.groupMap(derive.meanMap(maps, 0, 0), size, [[0], [1, 2]]);
  near(merged, [
    at(0, 0, 0, 0),
    at(0, 0, 0, 1) + at(0, 0, 0, 2),
    (at(0, 0, 1, 0) + at(0, 0, 2, 0)) / 2,
    (at(0, 0, 1, 1) + at(0, 0, 1, 2) + at(0, 0, 2, 1) + at(0, 0, 2, 2)) / 2,
  ]);
});

test('a column: means over the group, sums over the query; layers and heads by their mean or maximum', () => {
  const groups = [[0], [1, 2]];
  const places = [{ layer: 0, head: 2 }, { layer: 1, head: 0 }];
  const got = (l, h) => [
    at(l, h, 0, 1) + at(l, h, 0, 3),
    (at(l, h, 1, 1) + at(l, h, 1, 3) + at(l, h, 2, 1) + at(l, h, 2, 3)) / 2,
  ];
  near(derive.placeRows(maps, places, [1, 3], groups, 'to'), [...got(0, 2), ...got(1, 0)]);
  const to = { direction: 'to', reduce: 'max' };
  const most = (a, b) => a.map((value, i) => Math.max(value, b[i]));
  near(derive.headRows(maps, 'all', [1, 3], groups, to), [0, 1, 2].flatMap((h) => most(got(0, h), got(1, h))));
  near(
    derive.layerRows(maps, 'all', [1, 3], groups, to),
    [0, 1].flatMap((l) => most(most(got(l, 0), got(l, 1)), got(l, 2))),
  );
  const options = { layer: 0, head: 'all', query: [1, 3], groups, lit: [true, true], scale: 'none' };
  near(derive.light(maps, { ...options, mix: places, ...to }).weights, most(got(0, 2), got(1, 0)));
  const mean = got(0, 2).map((value, i) => (value + got(1, 0)[i]) / 2);
  near(derive.light(maps, { ...options, mix: places, direction: 'to' }).weights, mean);
  const parted = [{ ...places[0], weight: 3 }, places[1]];
  const threeToOne = got(0, 2).map((value, i) => value * 0.75 + got(1, 0)[i] * 0.25);
  near(derive.light(maps, { ...options, mix: parted, direction: 'to' }).weights, threeToOne);
  near(derive.light(maps, { ...options, mix: parted, ...to }).weights, most(got(0, 2), got(1, 0)));
});

test('heads are combined after their pieces are merged, as the engine does', () => {
  const groups = [[0], [1, 2]];
  const places = derive.placesOf(maps, 1, 'all');
  assert.deepEqual(places, [0, 1, 2].map((head) => ({ layer: 1, head })));
  const each = places.map(({ layer, head }) => derive.groupMap(derive.meanMap(maps, layer, head), size, groups));
  near(derive.mixedMap(maps, places, groups, 'max'), [0, 1, 2, 3].map((i) => Math.max(...each.map((one) => one[i]))));
  near(derive.mixedMap(maps, places, groups), [0, 1, 2, 3].map((i) => each.reduce((sum, one) => sum + one[i] / 3, 0)));
  assert.deepEqual([...derive.mixedMap(maps, [], groups)], [0, 0, 0, 0]);
  const parted = [{ ...places[0], weight: 1 }, { ...places[2], weight: 4 }];
  near(derive.mixedMap(maps, parted, groups), [0, 1, 2, 3].map((i) => each[0][i] * 0.2 + each[2][i] * 0.8));
});

test("columns scale as scikit-learn's MinMaxScaler scales the article's review", () => {
  const { cls_rows: rows, heat_map: expected } = JSON.parse(
    fs.readFileSync(`${root}tests/data/articles/review-rows.json`, 'utf8'),
  );
  const between = rows.map((row) => row.slice(1, -1));
  assert.equal(between.length, 12);
  assert.equal(between[0].length, 69);
  near(derive.minmaxColumns(Float32Array.from(between.flat()), 69), expected.flat());
});

test('constant columns give 0, those that hardly vary only lose their minimum', () => {
  near(derive.minmaxColumns(Float32Array.of(0.25, 0.1, 0.25, 0.1000005), 2), [0, 0, 0, 5e-7]);
});

test('light of one head, of all, and in each scale', () => {
  const options = {
    layer: 0,
    head: 1,
    query: [0],
    groups: [[0], [1], [2], [3]],
    lit: [false, true, true, true],
  };
  const row = [0, 1, 2, 3].map((k) => at(0, 1, 0, k));
  const plain = derive.light(maps, { ...options, scale: 'none' });
  near(plain.weights, row);
  assert.equal(plain.full, 1);
  const brightest = derive.light(maps, { ...options, scale: 'brightest' });
  near(brightest.weights, row);
  assert.equal(brightest.full, Math.max(...plain.weights.slice(1)));
  const perHead = derive.light(maps, { ...options, scale: 'heads' });
  const column = (k) => [0, 1, 2].map((h) => at(0, h, 0, k));
  near(
    perHead.weights,
    [0, 1, 2, 3].map(
      (k) => (at(0, 1, 0, k) - Math.min(...column(k))) / (Math.max(...column(k)) - Math.min(...column(k))),
    ),
  );
  near(perHead.shares, row);
  const all = derive.light(maps, { ...options, head: 'all', scale: 'none' });
  near(
    all.shares,
    [0, 1, 2, 3].map((k) => (at(0, 0, 0, k) + at(0, 1, 0, k) + at(0, 2, 0, k)) / 3),
  );
});

test('columns of special tokens go', () => {
  near(derive.litColumns(Float32Array.of(1, 2, 3, 4, 5, 6), [false, true, true]), [2, 3, 5, 6]);
});

test('a thumbnail keeps the largest weight of each cell', () => {
  near(derive.thumbnail(Float32Array.of(0, 0.5, 0.25, 0), 2, [0, 1]), [0, 1, 0.5, 0]);
  const large = new Float32Array(100 * 100);
  large[99 * 100 + 1] = 0.5;
  const small = derive.thumbnail(
    large,
    100,
    Array.from({ length: 100 }, (_, i) => i),
    10,
  );
  assert.equal(small.length, 100);
  assert.equal(small[90], 1);
  assert.equal(
    small.reduce((sum, value) => sum + value),
    1,
  );
});

const joined = (runs) => runs.map(({ text }) => text).join('');

test('runs joined are the text, whatever the tokenizer left out', () => {
  const text = ' Head\u00a0aches,\n\n\tnaïve 👩‍👩‍👧 end\u200b ';
  const tokens = [
    special('[CLS]'),
    token('head', 1, 5, 0),
    token('aches', 6, 11, 1),
    token(',', 11, 12, 2),
    token('naive', 15, 20, 3),
    token('[UNK]', 21, 29, 4),
    token('end', 30, 33, 5),
    special('[SEP]'),
  ];
  for (const merge of [true, false]) {
    const runs = segment(text, tokens, merge);
    assert.equal(joined(runs), text);
    assert.deepEqual(
      runs.flatMap((run) => run.tokens),
      [1, 2, 3, 4, 5, 6],
    );
  }
});

test('words merge their pieces, and pieces know what they continue', () => {
  const tokens = [token('head', 0, 4, 0), token('##ache', 4, 8, 0), token('x', 9, 10, 1)];
  assert.deepEqual(
    segment('headache x', tokens, true).map((run) => run.tokens),
    [[0, 1], [], [2]],
  );
  assert.deepEqual(
    segment('headache x', tokens, false).map((run) => run.continues),
    [false, true, false, false],
  );
});

test('tokens that overlap or are empty share the run before them', () => {
  const tokens = [
    token('a', 0, 1, 0),
    token('<f0>', 1, 3, 1),
    token('<9f>', 1, 3, 1),
    token('', 3, 3, 2),
    token('b', 3, 4, 3),
  ];
  const runs = segment('a😀b', tokens, false);
  assert.equal(joined(runs), 'a😀b');
  assert.deepEqual(
    runs.map((run) => run.tokens),
    [[0], [1, 2, 3], [4]],
  );
});

test('numbers are written with the digits that they deserve', () => {
  assert.equal(formatWeight(0.3449, 'percent'), '34\u202f%');
  assert.equal(formatWeight(0.021, 'percent'), '2.1\u202f%');
  assert.equal(formatWeight(0.0001, 'percent'), '<0.1\u202f%');
  assert.equal(formatWeight(0, 'percent'), '0\u202f%');
  assert.equal(formatWeight(-0.5, 'number'), '\u22120.50');
  assert.equal(formatWeight(1, 'number'), '1');
});

test('CSV quotes what needs it and gives float32 back', () => {
  const value = Math.fround(0.1);
  const text = csv([['a,b', '"', 'line\nbreak', '超'], [value]]);
  assert.equal(text.split('\r\n')[0] + '\r\n', '"a,b","""","line\nbreak",超\r\n');
  assert.equal(Math.fround(Number(text.split('\r\n')[1])), value);
});

test('an SVG holds hostile text as text', () => {
  const scene = {
    width: 10,
    height: 10,
    background: '#fff',
    title: '</title><script>',
    shapes: [
      {
        kind: 'text',
        x: 0,
        y: 0,
        text: '<img onerror="x">\u0000\ud800',
        size: 12,
        family: 'serif',
        fill: '#000',
      },
    ],
  };
  const svg = sceneToSvg(scene);
  assert.ok(!svg.includes('<img') && !svg.includes('<script'));
  assert.ok(svg.includes('&lt;img onerror=&quot;x&quot;&gt;\ufffd\ufffd'));
  assert.equal(svg, sceneToSvg(scene));
});

test('on a server the elements can be imported and nothing is defined', async () => {
  const elements = await importModule('elements/define.js');
  assert.equal(typeof elements.HeadlightText, 'function');
  assert.equal(globalThis.customElements?.get?.('headlight-text'), undefined);
});

test('a row a layer is what each layer has of one head, or of the mean', () => {
  const groups = [[0, 1], [2], [3]];
  near(derive.layerRows(maps, 2, [1], groups).slice(3), [at(1, 2, 1, 0) + at(1, 2, 1, 1), at(1, 2, 1, 2), at(1, 2, 1, 3)]);
  const mean = derive.layerRows(maps, 'all', [3], [[2]]);
  near(mean, [0, 1].map((l) => (at(l, 0, 3, 2) + at(l, 1, 3, 2) + at(l, 2, 3, 2)) / 3));
});

test('pruned heads are part of no mean, range or count', () => {
  // In layer 0 only head 1 is left; head 0 is nowhere.
  const pruned = [[0, 2], [0]];
  const weights = { data: maps.data, shape: [2, 3, 4, 4], axes: ['layer', 'head', 'query', 'key'] };
  const cut = derive.mapsOf({ weights }, pruned);
  assert.deepEqual(cut, { ...maps, prunedHeads: pruned });
  const there = [
    { layer: 0, head: 1 },
    { layer: 1, head: 1 },
    { layer: 1, head: 2 },
  ];
  assert.deepEqual(derive.placesOf(cut, 'all', 'all'), there);
  assert.deepEqual(derive.placesOf(cut, 0, 2), []);
  assert.deepEqual([derive.headsOf(cut, 0), derive.headsOf(cut, 1), derive.headsOf(cut, 'all')], [[1], [1, 2], [1, 2]]);
  assert.deepEqual([derive.isPruned(cut, { layer: 1, head: 0 }), derive.isPruned(maps, { layer: 1, head: 0 })], [true, false]);

  const groups = [[0], [1], [2], [3]];
  const keys = [0, 1, 2, 3];
  const gone = [NaN, NaN, NaN, NaN];
  const same = (actual, expected) => {
    assert.equal(actual.length, expected.length);
    actual.forEach((value, i) => assert.ok(Object.is(value, expected[i]) || Math.abs(value - expected[i]) < 1e-6, `${i}: ${value}, not ${expected[i]}`));
  };
  const mean = (places) => keys.map((k) => places.reduce((sum, { layer, head }) => sum + at(layer, head, 0, k), 0) / places.length);
  same(derive.headRows(cut, 0, [0], groups), [...gone, ...mean([there[0]]), ...gone]);
  same(derive.headRows(cut, 'all', [0], groups), [...gone, ...mean(there.slice(0, 2)), ...mean([there[2]])]);
  same(derive.layerRows(cut, 2, [0], groups), [...gone, ...mean([there[2]])]);
  same(derive.layerRows(cut, 'all', [0], groups), [...mean([there[0]]), ...mean(there.slice(1))]);
  same(derive.meanMap(cut, 'all', 'all').slice(0, 4), mean(there));
  same(derive.minmaxColumns(Float32Array.of(NaN, 1, 3, 2, 4, NaN), 2), [NaN, 0, 0, 1, 1, NaN]);

  const options = { layer: 'all', head: 'all', query: [0], groups, lit: [true, true, true, true] };
  same(derive.light(cut, { ...options, scale: 'none' }).weights, mean(there));
  const most = keys.map((k) => Math.max(...there.map(({ layer, head }) => at(layer, head, 0, k))));
  same(derive.light(cut, { ...options, scale: 'none', reduce: 'max' }).weights, most);
  const scaled = derive.minmaxColumns(Float32Array.from([...mean([there[1]]), ...mean([there[2]])]), 4);
  same(derive.light(cut, { ...options, layer: 1, scale: 'heads' }).weights, keys.map((k) => (scaled[k] + scaled[4 + k]) / 2));
  same(derive.light(cut, { ...options, layer: 1, head: 2, scale: 'heads' }).weights, scaled.slice(4));

  const tokens = keys.map((k) => token('a', k, k + 1, k));
  const measured = headMeasure(cut, tokens, 'same');
  assert.deepEqual([...measured].map(Number.isNaN), [true, false, true, true, false, false]);
});

test('lines are the strongest of the heads, queries and keys that are shown; those of one strength come or go together', () => {
  const head = Float32Array.of(0.5, 0.2, 0.005, 0.9);
  const links = (most, queries = [0, 1], keys = [0, 1]) =>
    strongestLinks([head, head], [1], 2, queries, keys, most).map(({ query, key }) => `${query}${key}`);
  assert.deepEqual(links(9), ['00', '01', '11']);
  assert.deepEqual(links(2), ['00', '11']);
  assert.deepEqual(links(9, [0], [1]), ['01']);
  const even = new Float32Array(4).fill(0.25);
  assert.deepEqual(strongestLinks([even], [0], 2, [0, 1], [0, 1], 3), []);
  const full = strongestLinks([Float32Array.of(1, 1)], [0], 2, [0], [0, 1], 5);
  assert.deepEqual(full.map(({ head, weight }) => [head, weight]), [[0, 1], [0, 1]]);
});

test('measures of heads that do one thing only', () => {
  const tokens = [special('[CLS]'), token('a', 0, 1, 0), token('b', 2, 3, 1), token('c', 4, 5, 2), special('[SEP]')];
  const n = tokens.length;
  const measured = (keyOf, measure) => {
    const data = new Float32Array(n * n);
    for (let q = 0; q < n; q++) for (const [key, weight] of keyOf(q)) data[q * n + key] += weight;
    return headMeasure({ data, layers: 1, heads: 1, size: n }, tokens, measure)[0];
  };
  const one = (key) => [[key, 1]];
  assert.equal(measured((q) => one(Math.max(0, q - 1)), 'previous'), 1);
  assert.equal(measured((q) => one(Math.min(n - 1, q + 1)), 'next'), 1);
  assert.equal(measured((q) => one(q), 'same'), 1);
  assert.equal(measured((q) => one(q), 'breadth'), 0);
  assert.equal(measured(() => one(0), 'first'), 1);
  assert.equal(measured(() => one(n - 1), 'separators'), 1);
  const even = () => tokens.map((_, key) => [key, 1 / n]);
  near([measured(even, 'breadth'), measured(even, 'separators')], [1, 1 / n]);
  near([measured(even, 'distance')], [(1 + 2 / 3 + 1) / 3]); // of three words: (0+1+2)/3, (1+0+1)/3, (2+1+0)/3
  assert.equal(measured(() => one(0), 'distance'), 0);
});
