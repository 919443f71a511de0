// pipeline() beside transformers.js, both on the same folders (tests/peers/export_onnx.py): names, shapes and scores, and what
// docs/pipeline.md says of differences. scripts/test.mjs gets the peer and makes the folders, HEADLIGHT_PEER_MODELS.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { library, root } from '../support/built.mjs';

const models = process.env.HEADLIGHT_PEER_MODELS;
assert.ok(models, 'HEADLIGHT_PEER_MODELS is not set: run node scripts/test.mjs peers');
const module = path.join(root, 'bench/node_modules/@huggingface/transformers/dist/transformers.node.mjs');
const peer = await import(pathToFileURL(module));
peer.env.allowRemoteModels = false;
peer.env.localModelPath = models;

const text = 'The film was surprisingly good, and the actors were brilliant.';
const options = { dtype: 'fp32', device: 'cpu' };
const opened = [];
after(() => Promise.all(opened.map((pipe) => pipe.dispose())));

async function openTheirs(task, name) {
  const pipe = await peer.pipeline(task, name, options);
  opened.push(pipe);
  return pipe;
}

async function openOurs(task, name) {
  const pipe = await library.pipeline(task, path.join(models, name), options);
  opened.push(pipe);
  return pipe;
}

const openBoth = (task, name) => Promise.all([openTheirs(task, name), openOurs(task, name)]);

/** The same lists, keys and strings, numbers to four digits; of ours `start` and `end` may be there as well. */
function assertAlike(ours, theirs, place = 'result') {
  if (typeof theirs === 'number') {
    assert.ok(Math.abs(ours - theirs) <= 1e-4, `${place}: ${ours} is not ${theirs}`);
  } else if (Array.isArray(theirs)) {
    assert.ok(Array.isArray(ours), `${place} is no list`);
    assert.equal(ours.length, theirs.length, place);
    theirs.forEach((item, index) => assertAlike(ours[index], item, `${place}[${index}]`));
  } else if (typeof theirs === 'object') {
    const { start, end, ...rest } = ours;
    assert.equal(typeof start, typeof end);
    assert.deepEqual(Object.keys(rest).sort(), Object.keys(theirs).sort(), place);
    for (const [key, value] of Object.entries(theirs)) assertAlike(rest[key], value, `${place}.${key}`);
  } else {
    assert.equal(ours, theirs, place);
  }
}

async function assertSame([theirs, ours], ...args) {
  assertAlike(await ours(...args), await theirs(...args));
}

test('text-classification', async () => {
  const both = await openBoth('text-classification', 'classification');
  for (const input of [text, [text, 'bad'], [text], '']) {
    for (const given of [undefined, { top_k: 1 }, { top_k: 2 }, { top_k: null }]) await assertSame(both, input, given);
  }
  await assertSame(await openBoth('sentiment-analysis', 'multilabel'), [text, 'bad'], { top_k: null });
});

test('text-classification: what differs', async () => {
  const [theirs, ours] = await openBoth('text-classification', 'classification');
  assertAlike(await theirs(text, { function_to_apply: 'sigmoid', top_k: 2 }), await theirs(text, { top_k: 2 }));
  assert.notDeepEqual(await ours(text, { function_to_apply: 'sigmoid', top_k: 2 }), await ours(text, { top_k: 2 }));
  await theirs(text, { nonsense: 1 });
  await assert.rejects(ours(text, { nonsense: 1 }), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(theirs([]), /non-empty/);
  assert.deepEqual(await ours([]), []);
  const [regression, value] = await openBoth('text-classification', 'regression');
  assert.deepEqual((await regression(text)).map(({ score }) => score), [1]);
  const { data } = (await value.model.forward(text)).logits;
  assertAlike((await value(text)).map(({ score }) => score), [...data]);
});

const sentence = 'Angela Merkel met Tim Cook in Berlin.';

test('token-classification: the tokens that have text', async () => {
  const [theirs, ours] = await openBoth('ner', 'tokens');
  const read = async (...args) => (await ours(...args)).map(({ word, ...rest }) => ({ ...rest, word: word.replace('▁', '') }));
  for (const given of [{}, { ignore_labels: [] }, { ignore_labels: ['O', 'B-LOC'] }]) {
    const own = await read(sentence, given);
    assert.ok(own.some(({ word }) => word === ''));
    assertAlike(own.filter(({ word }) => word !== ''), await theirs(sentence, given));
  }
  const lists = await theirs([sentence, 'Paris']);
  assert.equal(lists.length, 2);
  assert.equal((await ours([sentence, 'Paris'])).length, 2);
  assert.ok(!('start' in lists[0][0]));
});

test('token-classification: groups', async () => {
  const [theirs, ours] = await openBoth('token-classification', 'tokens');
  const given = { aggregation_strategy: 'simple' };
  await assertSame([theirs, ours], 'Paris', given);
  const [group] = await theirs(sentence, given);
  const { start, end, ...own } = (await ours(sentence, given))[0];
  assert.deepEqual(Object.keys(own).sort(), Object.keys(group).sort());
  assert.equal(sentence.slice(start, end), own.word);
  await assert.rejects(theirs(sentence, { aggregation_strategy: 'first' }), /Invalid aggregation_strategy/);
  await ours(sentence, { aggregation_strategy: 'first' });
});

test('fill-mask', async () => {
  const both = await openBoth('fill-mask', 'masks');
  await assertSame(both, 'the [MASK] was good');
  await assertSame(both, ['the [MASK] was good', 'a [MASK]'], { top_k: 2 });
  for (const pipe of both) await assert.rejects(pipe('the film'), /\[MASK\]/);
});

test('fill-mask: what differs', async () => {
  const [theirs, ours] = await openBoth('fill-mask', 'masks');
  const one = await theirs('[MASK] and [MASK]', { top_k: 2 });
  const all = await ours('[MASK] and [MASK]', { top_k: 2 });
  assert.equal(all.length, 2);
  const scoresOf = (filled) => filled.map(({ score, token }) => ({ score, token }));
  assertAlike(scoresOf(all[0]), scoresOf(one));
  assert.equal((await theirs('the [MASK]', { targets: ['film'] })).length, 5);
  assert.equal((await ours('the [MASK]', { targets: ['film'] })).length, 1);
});

const question = 'Where did she move?';
const context = 'Marie Curie moved from Warsaw to Paris in 1891';

test('question-answering: shapes, and the score of the best span of its own', async () => {
  const [theirs, ours] = await openBoth('question-answering', 'answers');
  const keysOf = (answer) => Object.keys(answer).filter((key) => key !== 'start' && key !== 'end').sort();
  const [own, other] = [await ours(question, context), await theirs(question, context)];
  assert.deepEqual(keysOf(own), keysOf(other));
  assert.equal((await theirs(question, context, { top_k: 3 })).length, 3);
  assert.equal((await ours(question, context, { top_k: 3 })).length, 3);
  await assertSame([theirs, ours], question, context, { align_to_words: false });
});

test('question-answering: what differs', async () => {
  const [theirs, ours] = await openBoth('question-answering', 'answers');
  const { answer, start, end } = await ours(question, context);
  assert.equal(answer, context.slice(start, end));
  assert.match(context, new RegExp(`\\b${answer}\\b`));
  // Theirs begins and ends within words.
  assert.doesNotMatch(context, new RegExp(`\\b${(await theirs(question, context)).answer}\\b`));
  await assert.rejects(theirs([question, 'When?'], context), /array/);
  assert.equal((await ours([question, 'When?'], context)).length, 2);
  // More than the model takes: theirs reads the beginning.
  const long = `${'It is so. '.repeat(120)}${context}`;
  const isAtTheEnd = ({ answer: found }) => /1891/.test(found);
  assert.ok(!(await theirs(question, long, { top_k: 10_000 })).some(isAtTheEnd));
  assert.ok((await ours(question, long, { top_k: 10_000 })).some(isAtTheEnd));
});

test('zero-shot-classification', async () => {
  const both = await openBoth('zero-shot-classification', 'entailment');
  for (const labels of [['film', 'sport', 'politics'], ['film'], 'film', 'a, b']) {
    for (const given of [{}, { multi_label: true }, { hypothesis_template: 'It is {}' }]) {
      await assertSame(both, text, labels, given);
      await assertSame(both, [text, 'bad'], labels, given);
    }
  }
});

test('zero-shot-classification: a model without a label "entailment"', async () => {
  const theirs = await openTheirs('zero-shot-classification', 'multilabel');
  assert.equal((await theirs(text, ['film', 'sport'])).labels.length, 2);
  await assert.rejects(openOurs('zero-shot-classification', 'multilabel'), { code: 'E_TASK_MISMATCH' });
});

test('feature-extraction', async () => {
  const [theirs, ours] = await openBoth('feature-extraction', 'encoder');
  const compare = async (...args) => {
    const [own, other] = [await ours(...args), await theirs(...args)];
    assert.deepEqual([own.type, own.dims, own.size], [other.type, other.dims, other.size]);
    return [own.tolist(), other.tolist()];
  };
  for (const given of [{}, { pooling: 'mean' }, { pooling: 'mean', normalize: true }, { pooling: 'cls' }, { pooling: 'first_token' }]) {
    assertAlike(...(await compare(text, given)));
    if (given.pooling) assertAlike(...(await compare([text, 'bad'], given)));
  }
  // Beyond the shorter text theirs computes what padding gives.
  const [own, other] = await compare([text, 'bad']);
  const { length } = (await ours.tokenizer.tokenize('bad')).tokens;
  assertAlike(own.map((rows, index) => (index === 0 ? rows : rows.slice(0, length))), other.map((rows, index) => (index === 0 ? rows : rows.slice(0, length))));
  assert.ok(own[1].slice(length).flat().every((value) => value === 0));
  assert.ok(other[1].slice(length).flat().some((value) => value !== 0));
});

test('feature-extraction: what differs', async () => {
  const [theirs, ours] = await openBoth('feature-extraction', 'encoder');
  assert.equal((await theirs(text, { pooling: 'last_token' })).dims.length, 2);
  await assert.rejects(ours(text, { pooling: 'last_token' }), { code: 'E_INVALID_ARGUMENT' });
  await assert.rejects(theirs(text, { pooling: 'max' }), /not supported/);
  assert.equal((await ours(text, { pooling: 'max' })).dims.length, 2);
  assert.equal((await theirs(text, { pooling: 'mean', quantize: true })).type, 'int8');
  await assert.rejects(ours(text, { pooling: 'mean', quantize: true }), { code: 'E_INVALID_ARGUMENT' });
});

test('a model of another task', async () => {
  // Theirs loads it, and gives what comes of it.
  assert.ok(Array.isArray(await (await openTheirs('token-classification', 'classification'))(text)));
  await assert.rejects((await openTheirs('question-answering', 'classification'))(question, context), TypeError);
  for (const task of ['token-classification', 'question-answering']) {
    await assert.rejects(openOurs(task, 'classification'), { code: 'E_TASK_MISMATCH' });
  }
});
