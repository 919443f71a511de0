// Calls that make no sense, and texts with nothing in them: typed errors, or results that are numbers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { library } from '../support/built.mjs';
import { answers, classifier, entailment, entities, golden, masks, models, ranker, sentences } from '../support/task-models.mjs';
import { makeTinyModel, writeFolder } from '../support/tiny-model.mjs';
import { makeFillingModel } from '../support/told-model.mjs';

const { load, loadTokenizer, pipeline, search } = library;
const invalid = (name) => ({ code: 'E_INVALID_ARGUMENT', message: new RegExp(name) });

const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);

/** A folder of the files, with what `changes` says in config.json. */
function withConfig(files, changes) {
  return writeFolder({ ...files, 'config.json': encode(JSON.stringify({ ...JSON.parse(decode(files['config.json'])), ...changes })) });
}

after(() => models.forEach((model) => model.dispose()));

/** Each call that takes text, with a model that it fits: called with one text. */
const calls = {
  classify: [classifier, (text) => classifier.classify(text)],
  entities: [entities, (text) => entities.entities(text, { aggregation: 'word', ignoreLabels: [] })],
  fillMask: [masks, (text) => masks.fillMask(`${text}[MASK]`)],
  answer: [answers, (text) => answers.answer({ question: text, context: text })],
  'answer of a context': [answers, (text) => answers.answer({ question: 'who?', context: text }, { allowNoAnswer: true })],
  nextSentence: [sentences, (text) => sentences.nextSentence({ text, textPair: text })],
  zeroShot: [entailment, (text) => entailment.zeroShot(text, ['film', ' ', ''])],
  rank: [ranker, (text) => ranker.rank(text, [text, 'a', ''])],
  embed: [classifier, (text) => classifier.embed(text, { normalize: true })],
  'embed with max': [classifier, (text) => classifier.embed(text, { pooling: 'max' })],
  attention: [classifier, (text) => classifier.attention(text, { scale: 'minmax-heads', words: true })],
  'attention, all summed': [classifier, (text) => classifier.attention(text, { query: 'all', scale: 'sum' })],
  forward: [classifier, (text) => classifier.forward(text, { attentions: true, hiddenStates: true })],
};

/** Every number within a result. */
function* numbersOf(value) {
  if (typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* numbersOf(item);
}

for (const [name, [, call]] of Object.entries(calls)) {
  test(`${name}: texts with nothing in them give numbers, never NaN`, async () => {
    for (const text of ['', ' ', ' \t\r\n\u3000 ', '\0', '\u200b\ufeff', '\ud800', '\u0301', '[SEP]', '[PAD] [PAD]', '<pad></s>']) {
      for (const number of numbersOf(await call(text))) assert.ok(Number.isFinite(number), `${JSON.stringify(text)}: ${number}`);
    }
  });
}

test('texts of spaces alone hold nothing', async () => {
  const spaces = '   ';
  assert.deepEqual([...(await entities.entities(spaces))], []);
  // Spaces are tokens of RoBERTa's.
  for (const { answer } of await answers.answer({ question: 'who?', context: spaces })) assert.equal(answer.trim(), '');
  assert.deepEqual([...(await classifier.classify(spaces))], [...(await classifier.classify(''))]);
  assert.deepEqual((await classifier.attention(spaces)).keys, []);
  assert.deepEqual((await classifier.embed(spaces)).data, (await classifier.embed('')).data);
});

test('an empty list gives an empty list', async () => {
  assert.deepEqual(await classifier.classify([]), []);
  assert.deepEqual(await entities.entities([]), []);
  assert.deepEqual(await masks.fillMask([]), []);
  assert.deepEqual(await answers.answer([]), []);
  assert.deepEqual(await sentences.nextSentence([]), []);
  assert.deepEqual(await entailment.zeroShot([], ['a']), []);
  assert.deepEqual(await ranker.rank('a', []), []);
  assert.deepEqual(await classifier.embed([]), []);
  assert.deepEqual(await classifier.tokenize([]), []);
});

test('a model of another task names itself', async () => {
  const mismatch = (architecture) => ({ code: 'E_TASK_MISMATCH', message: new RegExp(architecture) });
  await assert.rejects(entities.classify('a'), mismatch('BertForTokenClassification'));
  await assert.rejects(masks.entities('a'), mismatch('BertForMaskedLM'));
  await assert.rejects(classifier.zeroShot('a', ['b']), { code: 'E_TASK_MISMATCH', message: /label "entailment"/ });
  await assert.rejects(classifier.rank('a', ['b']), { code: 'E_TASK_MISMATCH', message: /single label/ });
});

test('a masked language model without a mask token', async () => {
  const files = makeFillingModel({ ranking: ['film'] });
  const vocabulary = decode(files['vocab.txt']).replace('[MASK]', '[unused0]');
  const model = await load(writeFolder({ ...files, 'vocab.txt': encode(vocabulary) }));
  assert.equal(model.info.maskToken, null);
  assert.ok(!model.info.tasks.includes('fillMask'));
  await assert.rejects(model.fillMask('a [MASK]'), { code: 'E_TASK_MISMATCH', message: /mask token/ });
  model.dispose();
  assert.equal(masks.info.maskToken, '[MASK]');
  assert.equal(entailment.info.maskToken, '<mask>');
});

test('labels: holes have the names that Hugging Face gives, another number is refused', async () => {
  const files = makeTinyModel({ labels: ['a', 'b', 'c'] });
  const folder = (id2label) => withConfig(files, { id2label, label2id: undefined });
  for (const [id2label, labels] of [
    [{ 0: 'a', 2: 'c' }, ['a', 'LABEL_1', 'c']],
    [{ 0: 'a', 1: null, 2: 'c' }, ['a', 'LABEL_1', 'c']],
  ]) {
    const model = await load(folder(id2label));
    assert.deepEqual(model.info.labels, labels);
    assert.deepEqual((await model.classify('a')).map(({ label }) => label).sort(), [...labels].sort());
    model.dispose();
  }
  for (const id2label of [{ 0: 'a', 1: 'b' }, { 0: 'a', 1: 'b', 2: 'c', 3: 'd' }, {}]) {
    await assert.rejects(load(folder(id2label)), { code: 'E_SHAPE_MISMATCH', tensor: 'classifier.weight' });
  }
  await assert.rejects(load(folder(['a', 'b', 'c'])), { code: 'E_INVALID_CONFIG' });
});

test('pairs where a task takes one text, one text where it takes pairs', async () => {
  const pair = { text: 'a', textPair: 'b' };
  await assert.rejects(entities.entities(pair), invalid('not a pair'));
  await assert.rejects(entailment.zeroShot(pair, ['a']), invalid('not a pair'));
  await assert.rejects(sentences.nextSentence('a'), invalid('pair'));
  await assert.rejects(answers.answer('a'), invalid('question'));
});

test('thresholds and numbers of results out of range', async () => {
  for (const threshold of [-0.1, 1.01, NaN, Infinity]) {
    await assert.rejects(classifier.classify('a', { threshold }), invalid('threshold'));
  }
  assert.equal((await classifier.classify('a', { threshold: 0 })).length, 2);
  assert.equal((await classifier.classify('a', { threshold: 1 })).length, 0);
  // Logits have no such range.
  assert.equal((await classifier.classify('a', { threshold: -1e6, functionToApply: 'none' })).length, 2);
  for (const topK of [0, -1, 1.5, NaN]) {
    await assert.rejects(classifier.classify('a', { topK }), invalid('topK'));
    await assert.rejects(masks.fillMask('[MASK]', { topK }), invalid('topK'));
    await assert.rejects(answers.answer({ question: 'a', context: 'b' }, { topK }), invalid('topK'));
    await assert.rejects(ranker.rank('a', ['b'], { topK }), invalid('topK'));
  }
  assert.equal((await classifier.classify('a', { topK: 99 })).length, 2);
});

test('an input among many is told by its index', async () => {
  const long = 'a film '.repeat(300);
  for (const call of [
    () => classifier.classify(['a', 'b', long], { overlong: 'error' }),
    () => classifier.embed(['a', 'b', long], { overlong: 'error' }),
    () => entailment.zeroShot(['a', 'b', long], ['film'], { overlong: 'error' }),
    () => entities.entities(['a', 'b', long], { overlong: 'error' }),
  ]) {
    await assert.rejects(call(), { code: 'E_TOO_LONG', message: /^input 2 has \d+ tokens/ });
  }
  await assert.rejects(masks.fillMask(['[MASK]', 'a']), invalid('input 1 has no \\[MASK\\]'));
});

test('options that are none', async () => {
  for (const options of [null, 5, 'fast', [], true]) {
    const refused = invalid('The options must be an object');
    for (const method of ['classify', 'embed', 'attention', 'forward', 'tokenize']) {
      await assert.rejects(classifier[method]('a', options), refused, method);
    }
    await assert.rejects(entailment.zeroShot('a', ['b'], options), refused);
    await assert.rejects(ranker.rank('a', ['b'], options), refused);
    await assert.rejects(classifier.decode([1], options), refused);
    await assert.rejects(load(golden('bert-nsp'), options), refused);
    await assert.rejects(loadTokenizer(golden('bert-nsp'), options), refused);
    await assert.rejects(pipeline('fill-mask', golden('bert-mlm'), options), refused);
    assert.throws(() => search([], new Float32Array(1), options), refused);
  }
  const pipes = {
    'text-classification': [writeFolder(makeTinyModel()), 'a'],
    'question-answering': [golden('roberta-qa'), 'who?', 'a b'],
    'zero-shot-classification': [golden('roberta-nli'), 'a', ['b']],
  };
  for (const [task, [folder, ...args]] of Object.entries(pipes)) {
    const pipe = await pipeline(task, folder);
    await assert.rejects(pipe(...args, null), invalid('The options must be an object'), task);
    await pipe.dispose();
  }
});

test('a signal that is none, an onProgress that cannot be called', async () => {
  for (const signal of ['stop', {}, new AbortController(), 5]) {
    await assert.rejects(classifier.classify('a', { signal }), invalid('signal'));
    await assert.rejects(load(golden('bert-nsp'), { signal }), invalid('signal'));
  }
  for (const onProgress of ['loud', {}, 5]) {
    await assert.rejects(classifier.classify('a', { onProgress }), invalid('onProgress'));
    await assert.rejects(load(golden('bert-nsp'), { onProgress }), invalid('onProgress'));
  }
  assert.equal((await classifier.classify('a', { signal: null, onProgress: undefined })).length, 2);
});

test('messages of the engine name options as JavaScript does', async () => {
  const table = [
    ['tokenize', 'a', { truncation: 'longest_first' }],
    ['tokenize', 'a', { truncation: 'only_second', maxLength: 4 }],
    ['tokenize', 'a', { padding: 'maxLength' }],
    ['tokenize', 'a', { padding: 'maxLength', maxLength: 1e9 }],
    ['tokenize', 'a', { truncation: 'longest_first', maxLength: 1 }],
    ['tokenize', 'a b', { truncation: 'longest_first', maxLength: 4, stride: 3 }],
    ['tokenize', { text: 'a a a a', textPair: 'b' }, { truncation: 'only_second', maxLength: 5 }],
    ['attention', 'a', { scale: 'minmax-heads', reduceHeads: 'mean' }],
    ['embed', 'a', { taskTypeId: 1 }],
    ['forward', 'a', { taskTypeId: 1 }],
  ];
  for (const [method, input, options] of table) {
    await assert.rejects(classifier[method](input, options), ({ code, message }) => {
      assert.equal(code, 'E_INVALID_ARGUMENT');
      assert.doesNotMatch(message, /[a-z]_[a-z]/);
      return true;
    });
  }
});
