// The calls of a model: shapes of results, options, runs side by side, memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { library } from '../support/built.mjs';
import { makeTinyModel, textOf, writeFolder } from '../support/tiny-model.mjs';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');

const { load } = library;
const folder = writeFolder(makeTinyModel());
const model = await load(folder);
// Enough work for a good many steps at n = 512.
const larger = await load(writeFolder(makeTinyModel({ hidden: 256, layers: 4, heads: 4, seed: 2 })));

const invalid = (name) => (error) => {
  assert.equal(error.code, 'E_INVALID_ARGUMENT', error.message);
  assert.match(error.message, new RegExp(name));
  return true;
};

test('info and platform', () => {
  const { family, numHiddenLayers, numAttentionHeads, hiddenSize, maxLength, labels, tasks, problemType, dtype } =
    model.info;
  assert.deepEqual(
    { family, numHiddenLayers, numAttentionHeads, hiddenSize, maxLength, labels, problemType, dtype },
    {
      family: 'bert',
      numHiddenLayers: 2,
      numAttentionHeads: 4,
      hiddenSize: 32,
      maxLength: 512,
      labels: ['NEGATIVE', 'POSITIVE'],
      problemType: 'single_label_classification',
      dtype: 'float32',
    },
  );
  assert.deepEqual([...tasks].sort(), ['attention', 'classify', 'embed', 'forward']);
  const { threads, worker } = model.platform;
  assert.deepEqual({ threads, worker }, { threads: 1, worker: false });
});

test('classify: labels by falling score, which sum to 1', async () => {
  const labels = await model.classify('The movie was absolutely fantastic!');
  assert.deepEqual(labels.map(({ label }) => label).sort(), ['NEGATIVE', 'POSITIVE']);
  assert.ok(labels[0].score >= labels[1].score);
  assert.ok(Math.abs(labels[0].score + labels[1].score - 1) < 1e-6);
  assert.deepEqual(labels.truncated, []);
  assert.deepEqual(Object.keys(labels), ['0', '1']);
  const [best, ...others] = await model.classify('The movie was absolutely fantastic!', { topK: 1 });
  assert.deepEqual(best, labels[0]);
  assert.equal(others.length, 0);
});

test('one input gives one result, a list a list in order', async () => {
  const inputs = ['a good film', { text: 'a good film' }, { text: 'a good film', textPair: 'it was bad' }, ''];
  const together = await model.classify(inputs);
  assert.equal(together.length, 4);
  for (const [index, input] of inputs.entries())
    assert.deepEqual([...together[index]], [...(await model.classify(input))]);
  assert.deepEqual(await model.classify([]), []);
  assert.deepEqual(await model.tokenize([]), []);
  assert.equal((await model.classify(['a film'])).length, 1);
  assert.equal((await model.attention(['a', 'a film'])).length, 2);
  assert.equal((await model.forward(['a', 'a film'])).length, 2);
});

test('tokenize', async () => {
  const encoding = await model.tokenize('a film', { textPair: 'it was bad', padding: 'maxLength', maxLength: 10 });
  assert.deepEqual(encoding.tokens, ['[CLS]', 'a', 'film', '[SEP]', 'it', 'was', 'bad', '[SEP]', '[PAD]', '[PAD]']);
  assert.deepEqual(encoding.offsets, [
    [0, 0],
    [0, 1],
    [2, 6],
    [0, 0],
    [0, 2],
    [3, 6],
    [7, 10],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  assert.deepEqual(encoding.sequenceIds, [null, 0, 0, null, 1, 1, 1, null, null, null]);
  assert.deepEqual(encoding.wordIds, [null, 0, 1, null, 0, 1, 2, null, null, null]);
  assert.deepEqual(encoding.attentionMask, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
  const [first, second] = await model.tokenize(['a film', { text: 'a', textPair: 'film' }], {
    addSpecialTokens: false,
  });
  assert.deepEqual(first.tokens, ['a', 'film']);
  assert.deepEqual(second.tokens, ['a', 'film']);
  const cut = await model.tokenize('a good film', { maxLength: 4, truncation: 'longest_first' });
  assert.deepEqual(cut.tokens, ['[CLS]', 'a', 'good', '[SEP]']);
  assert.deepEqual(
    cut.overflow.map(({ tokens }) => tokens),
    [['[CLS]', 'film', '[SEP]']],
  );
  assert.equal((await model.tokenize('a [SEP]')).tokens.length, 4);
  assert.ok((await model.tokenize('a [SEP]', { specialTokensInText: 'text' })).tokens.length > 4);
});

test('a lone surrogate counts as one U+FFFD', async () => {
  const [lone, replaced] = await Promise.all(['a \uD83D film', 'a \uFFFD film'].map((text) => model.tokenize(text)));
  assert.deepEqual(lone, replaced);
  await model.classify('\uDC00');
});

test('forward: what is asked for, and nothing else', async () => {
  const { hiddenSize } = model.info;
  const n = 6;
  assert.deepEqual(Object.keys(await model.forward('the movie was good')), ['logits']);
  const all = await model.forward('the movie was good', {
    lastHiddenState: true,
    poolerOutput: true,
    hiddenStates: true,
    attentions: true,
    queriesKeysValues: true,
  });
  const shapes = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(({ shape }) => shape) : value.shape,
    ]),
  );
  assert.deepEqual(shapes, {
    logits: [2],
    lastHiddenState: [n, hiddenSize],
    poolerOutput: [hiddenSize],
    hiddenStates: [3, n, hiddenSize],
    attentions: [
      [4, n, n],
      [4, n, n],
    ],
    queries: [
      [4, n, 8],
      [4, n, 8],
    ],
    keys: [
      [4, n, 8],
      [4, n, 8],
    ],
    values: [
      [4, n, 8],
      [4, n, 8],
    ],
  });
  for (const { data, shape } of [all.logits, all.hiddenStates, ...all.attentions]) {
    assert.ok(data instanceof Float32Array);
    assert.equal(
      data.length,
      shape.reduce((product, size) => product * size, 1),
    );
    assert.equal(data.byteLength, data.buffer.byteLength);
  }
  const some = await model.forward('the movie was good', {
    logits: false,
    attentions: true,
    layers: [-1],
    heads: [2, 0],
  });
  assert.deepEqual(Object.keys(some), ['attentions']);
  assert.deepEqual(
    some.attentions.map(({ shape }) => shape),
    [[2, n, n]],
  );
  assert.deepEqual(
    [...some.attentions[0].data.slice(0, n * n)],
    [...all.attentions[1].data.slice(2 * n * n, 3 * n * n)],
  );
});

test('attention: axes, tokens, words', async () => {
  const result = await model.attention('The movies was good', { layers: [-2], query: 'cls', scale: 'minmax-heads' });
  assert.deepEqual(result.weights.axes, ['layer', 'head', 'key'].slice(-result.weights.shape.length));
  assert.equal(result.weights.shape.at(-1), result.keys.length);
  assert.deepEqual(
    result.tokens.map(({ text }) => text),
    ['[CLS]', 'the', 'movie', '##s', 'was', 'good', '[SEP]'],
  );
  assert.deepEqual(result.keys, [1, 2, 3, 4, 5]);
  assert.deepEqual(result.tokens[3], {
    text: '##s',
    id: result.tokens[3].id,
    start: 9,
    end: 10,
    sequenceId: 0,
    wordId: 1,
  });
  assert.deepEqual(result.tokens[0], { text: '[CLS]', id: 2, start: 0, end: 0, sequenceId: null, wordId: null });
  assert.ok(Math.min(...result.weights.data) === 0 && Math.max(...result.weights.data) === 1);
  assert.equal(result.labels.length, 2);
  assert.deepEqual(
    result.specialShare.map(({ index }) => index),
    [0, 6],
  );

  const words = await model.attention('The movies was good', {
    words: true,
    reduceHeads: 'mean',
    reduceLayers: 'mean',
    scale: 'sum',
  });
  assert.deepEqual(words.weights.axes, ['key']);
  assert.deepEqual(
    words.keys.map((key) => words.words[key].text),
    ['The', 'movies', 'was', 'good'],
  );
  assert.equal(words.words[2].id, null);
  assert.ok(Math.abs(words.weights.data.reduce((sum, weight) => sum + weight) - 1) < 1e-5);

  const all = await model.attention('a film', { query: 'all', specialTokens: true, layers: [0], heads: [1] });
  assert.deepEqual(all.weights.axes.slice(-2), ['query', 'key']);
  assert.deepEqual(all.weights.shape.slice(-2), [4, 4]);
  const one = await model.attention('a film', { query: 1, specialTokens: true, layers: [0], heads: [1] });
  assert.deepEqual([...one.weights.data], [...all.weights.data.slice(4, 8)]);
});

test('a text that is too long is cut and says where, or is refused', async () => {
  const text = textOf(600);
  const labels = await model.classify(text);
  assert.equal(labels.truncated.length, 1);
  const [{ inPair, start }] = labels.truncated;
  assert.equal(inPair, false);
  assert.deepEqual([...(await model.classify(text.slice(0, start)))], [...labels]);
  assert.deepEqual((await model.attention(text)).truncated, labels.truncated);
  await assert.rejects(model.classify(text, { overlong: 'error' }), { code: 'E_TOO_LONG' });
  await assert.rejects(model.forward(text), { code: 'E_TOO_LONG' });
});

test('inputs are checked', async () => {
  for (const input of [
    undefined,
    null,
    5,
    {},
    { text: 5 },
    { text: 'a', textPair: 5 },
    { text: 'a', pair: 'b' },
    ['a', 5],
    [['a']],
  ]) {
    for (const method of ['classify', 'attention', 'forward', 'tokenize'])
      await assert.rejects(model[method](input), invalid('input'));
  }
  await assert.rejects(model.tokenize({ text: 'a' }, { textPair: 'b' }), invalid('textPair'));
});

test('options are checked and named', async () => {
  const table = [
    ['classify', { topK: 0 }, 'topK'],
    ['classify', { topK: 1.5 }, 'topK'],
    ['classify', { topK: NaN }, 'topK.*NaN'],
    ['classify', { topK: '1' }, 'topK'],
    ['classify', { overlong: 'fold' }, 'overlong.*"truncate" or "window" or "error"'],
    ['classify', { threshold: '0.5' }, 'threshold'],
    ['classify', { stride: -1 }, 'stride'],
    ['classify', { functionToApply: 'relu' }, 'functionToApply'],
    ['attention', { overlong: 'window' }, 'overlong.*"truncate" or "error"'],
    ['embed', { pooling: 'sum' }, 'pooling'],
    ['embed', { layer: 3 }, '3'],
    ['embed', { layer: 0.5 }, 'layer'],
    ['embed', { promptName: 'query' }, 'query'],
    ['embed', { normalize: 'yes' }, 'normalize'],
    ['embed', { maxLength: 0 }, 'maxLength'],
    ['classify', { topk: 1 }, 'topk'],
    ['attention', { query: 'sep' }, 'query'],
    ['attention', { query: -1 }, 'query'],
    ['attention', { query: 99 }, '99'],
    ['attention', { layers: -2 }, 'layers'],
    ['attention', { layers: [] }, 'layers'],
    ['attention', { layers: [2] }, '2'],
    ['attention', { layers: [-3] }, '-3'],
    ['attention', { heads: [4] }, '4'],
    ['attention', { heads: ['a'] }, 'heads'],
    ['attention', { scale: 'minmax' }, 'scale'],
    ['attention', { reduceHeads: true }, 'reduceHeads'],
    ['attention', { words: 1 }, 'words'],
    ['forward', { attentions: 'yes' }, 'attentions'],
    ['forward', { attentions: true, layers: [7] }, '7'],
    ['tokenize', { maxLength: 0 }, 'maxLength'],
    ['tokenize', { truncation: true }, 'truncation'],
    ['tokenize', { padding: 'longest' }, 'padding'],
    ['tokenize', { stride: -1 }, 'stride'],
    ['tokenize', { specialTokensInText: false }, 'specialTokensInText'],
  ];
  for (const [method, options, name] of table)
    await assert.rejects(model[method]('a film', options), invalid(name), `${method} ${name}`);
  assert.equal((await model.classify('a film', { topK: null })).length, 2);
});

test('embed: any layer, any pooling, batches', async () => {
  const { hiddenSize, numHiddenLayers } = model.info;
  const one = await model.embed('a good film');
  assert.deepEqual(one.shape, [hiddenSize]);
  assert.deepEqual(one.truncated, []);
  assert.ok(one.data instanceof Float32Array);
  const tokens = await model.embed('a good film', { pooling: 'none', layer: -2 });
  assert.deepEqual(tokens.shape, [5, hiddenSize]);
  const { hiddenStates } = await model.forward('a good film', { hiddenStates: true });
  const size = 5 * hiddenSize;
  const start = (numHiddenLayers - 1) * size;
  assert.deepEqual([...tokens.data], [...hiddenStates.data.slice(start, start + size)]);
  const many = await model.embed(['a', 'a good film', ''], { normalize: true });
  assert.equal(many.length, 3);
  for (const { data } of many) assert.ok(Math.abs(data.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-5);
});

test('classify: a threshold, windows', async () => {
  const all = await model.classify('a good film');
  assert.deepEqual([...(await model.classify('a good film', { threshold: all[0].score }))], [all[0]]);
  const text = textOf(600);
  const windows = await model.classify(text, { overlong: 'window', stride: 100 });
  assert.deepEqual(windows.truncated, []);
  assert.notDeepEqual([...windows], [...(await model.classify(text))]);
});

test('a task that does not fit is named', async () => {
  for (const [method, ...args] of [
    ['entities', 'a'],
    ['fillMask', 'a'],
    ['answer', { question: 'a', context: 'b' }],
    ['nextSentence', { text: 'a', textPair: 'b' }],
    ['zeroShot', 'a', ['b']],
    ['rank', 'a', ['b']],
  ]) {
    await assert.rejects(model[method](...args), { code: 'E_TASK_MISMATCH', message: /BertForSequenceClassification/ });
    const [first, ...rest] = args;
    assert.deepEqual(method === 'rank' ? await model.rank('a', []) : await model[method]([], ...rest), [], String(first));
  }
  await assert.rejects(model.answer('who'), invalid('question'));
  await assert.rejects(model.answer({ text: 'a' }), invalid('question'));
  await assert.rejects(model.zeroShot('a', []), invalid('labels'));
  await assert.rejects(model.zeroShot('a', 'b'), invalid('labels'));
  await assert.rejects(model.rank('a', 'b'), invalid('documents'));
  await assert.rejects(model.rank(5, ['b']), invalid('query'));

  const bare = makeTinyModel();
  const config = { ...JSON.parse(new TextDecoder().decode(bare['config.json'])), architectures: ['BertModel'] };
  const encoder = await load(writeFolder({ ...bare, 'config.json': new TextEncoder().encode(JSON.stringify(config)) }));
  await assert.rejects(encoder.classify('a film'), { code: 'E_TASK_MISMATCH' });
  assert.deepEqual((await encoder.attention('a film')).labels, []);
  assert.ok(!encoder.info.tasks.includes('classify'));
  encoder.dispose();
});

test('hostile texts', async () => {
  const texts = [
    '',
    ' ',
    '\0',
    '\u202E\u202D',
    '<img src=x onerror=alert(1)>',
    'e\u0301'.repeat(50),
    '😀'.repeat(300),
    'x'.repeat(100_000),
    '[CLS] [SEP] [MASK] [PAD]',
  ];
  for (const labels of await model.classify(texts)) assert.ok(labels[0].score >= 0.5 && labels[0].score <= 1);
});

test('an aborted run takes at most one more step, and the next call works', async () => {
  const text = textOf(512);
  const expected = await larger.classify(text);
  const whole = (await larger.counters()).steps;
  const controller = new AbortController();
  let stepsAtAbort;
  const run = larger.classify(text, {
    signal: controller.signal,
    onProgress: ({ fraction }) => {
      if (fraction === 1 || stepsAtAbort) return;
      stepsAtAbort = larger.counters();
      controller.abort();
    },
  });
  await assert.rejects(run, { name: 'AbortError' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { steps, openRuns } = await larger.counters();
  assert.ok(steps <= (await stepsAtAbort).steps + 1, `${steps} steps after ${(await stepsAtAbort).steps}`);
  assert.ok(steps - whole < whole, 'the run was not done');
  assert.equal(openRuns, 0);
  assert.deepEqual([...(await larger.classify(text))], [...expected]);
});

test('an aborted signal begins nothing; its reason is what is thrown', async () => {
  const { steps } = await model.counters();
  await assert.rejects(model.classify('a', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(model.classify('a', { signal: AbortSignal.abort(new Error('mine')) }), /mine/);
  assert.equal((await model.counters()).steps, steps);
});

test('progress rises to 1', async () => {
  const seen = [];
  await larger.classify([textOf(300), textOf(200)], { onProgress: ({ fraction }) => seen.push(fraction) });
  assert.ok(seen.length > 1);
  assert.ok(seen.every((fraction, index) => fraction <= 1 && (index === 0 || fraction >= seen[index - 1])));
  assert.equal(seen.at(-1), 1);
});

test('runs of one model and of two side by side', async () => {
  const other = await load(writeFolder(makeTinyModel({ seed: 3 })));
  const texts = [textOf(300), 'a film', textOf(100)];
  const calls = [model, other, larger].flatMap((one) => texts.map((text) => [one, text]));
  const alone = [];
  for (const [one, text] of calls) alone.push([...(await one.classify(text))]);
  const together = await Promise.all(calls.map(([one, text]) => one.classify(text)));
  assert.deepEqual(
    together.map((labels) => [...labels]),
    alone,
  );
  other.dispose();
  assert.deepEqual([...(await model.classify(texts[0]))], alone[0]);
});

test('a short run is not held up by a long one', async () => {
  const order = [];
  await Promise.all([
    larger.classify([textOf(512), textOf(512)]).then(() => order.push('long')),
    larger.classify('a').then(() => order.push('short')),
  ]);
  assert.deepEqual(order, ['short', 'long']);
});

test('memory after 1,000 calls is that after the first', async () => {
  const call = async (index) => {
    await model.classify('the movie was absolutely fantastic !');
    if (index % 10 === 0) await model.attention('the movie was absolutely fantastic !', { query: 'all' });
    if (index % 10 === 5) await assert.rejects(model.classify('a', { topK: -1 }), { code: 'E_INVALID_ARGUMENT' });
    await model.tokenize('the movie was absolutely fantastic !');
  };
  for (let index = 0; index < 10; index++) await call(index);
  const before = await model.counters();
  for (let index = 0; index < 1000; index++) await call(index);
  const after = await model.counters();
  assert.equal(after.openRuns, 0);
  assert.equal(after.allocatedBytes, before.allocatedBytes);
  assert.equal(after.heapBytes, before.heapBytes);
});

test('disposal', async () => {
  const own = await load(folder);
  const open = own.classify(textOf(512));
  own.dispose();
  own.dispose();
  await assert.rejects(open, { code: 'E_DISPOSED' });
  for (const method of ['classify', 'attention', 'forward', 'tokenize'])
    await assert.rejects(own[method]('a'), { code: 'E_DISPOSED' });
  await assert.rejects(own.decode([1]), { code: 'E_DISPOSED' });
  await assert.rejects(own.counters(), { code: 'E_DISPOSED' });
  assert.equal(own.info.family, 'bert');
});

test('after 20 times load and dispose no instance is left', async () => {
  const instances = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    instances.push(new WeakRef(instance));
    return instance;
  };
  try {
    for (let round = 0; round < 20; round++) {
      const own = await load(folder);
      assert.equal((await own.classify('a film')).length, 2);
      own.dispose();
    }
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  for (let round = 0; round < 10; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(instances.length, 20);
  assert.ok(instances.filter((instance) => instance.deref()).length <= 1);
});
