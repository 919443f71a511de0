// Explanations through the library: what each method gives, for every kind of head, and heads that are off.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { library, root } from '../support/built.mjs';
import { committedGolden } from '../support/golden.mjs';

const { HeadlightError, faithfulness, load } = library;
const text = 'The movie was absolutely fantastic!';
const methods = [
  'gradient-input',
  'integrated-gradients',
  'relevance',
  'rollout',
  'flow',
  'norms',
  'value-zeroing',
  'occlusion',
];
const sum = (values) => values.reduce((total, value) => total + value, 0);

let model;
before(async () => {
  model = await load(path.join(root, 'models/sentiment-en'));
});
after(() => model.dispose());

const refused = (code, promise) =>
  assert.rejects(promise, (error) => error instanceof HeadlightError && error.code === code);

test('every method gives a score for each token; words sum their tokens', async () => {
  const input = 'An unforgettable, breathtaking film';
  for (const method of methods) {
    const steps = 4;
    const whole = await model.explain(input, { method, steps });
    assert.equal(whole.method, method);
    assert.deepEqual(whole.scores.shape, [whole.tokens.length]);
    assert.ok(whole.words.length < whole.tokens.length, 'there are words of several tokens');
    if (method === 'occlusion') continue; // a word is taken out at once
    const words = await model.explain(input, { method, steps, words: true });
    assert.deepEqual(words.scores.shape, [words.words.length]);
    assert.ok(Math.abs(sum(words.scores.data) - sum(whole.scores.data)) < 1e-4, method);
  }
});

test('the target is the likeliest label or the one that is asked for; attention alone has none', async () => {
  const { target, logit, probability } = await model.explain(text, { method: 'gradient-input' });
  assert.deepEqual(target, { label: 'POSITIVE', index: 1, token: null, position: null });
  assert.ok(probability > 0.99 && logit > 0);
  const named = await model.explain(text, { method: 'gradient-input', target: { label: 'NEGATIVE' } });
  const counted = await model.explain(text, { method: 'gradient-input', target: { label: 0 } });
  assert.equal(named.target.label, 'NEGATIVE');
  assert.deepEqual(named.scores.data, counted.scores.data);
  const rollout = await model.explain(text, { method: 'rollout', target: { token: 2 } });
  assert.deepEqual([rollout.target.label, rollout.target.token, rollout.logit, rollout.probability], [null, 2, null, null]);
  for (const method of ['rollout', 'flow', 'norms', 'value-zeroing']) {
    const { target, logit } = await model.explain(text, { method, target: { label: 'NEGATIVE', token: 2 } });
    assert.deepEqual([target, logit], [{ label: null, index: null, token: 2, position: null }, null], method);
  }
});

test('integrated gradients say by how much their sum is off, and less with more steps', async () => {
  const error = async (steps) => {
    const { check, logit, scores } = await model.explain(text, { steps });
    const { baseline, sum: told, error } = check.completeness;
    assert.ok(Math.abs(logit - baseline - told - error) < 1e-3);
    assert.ok(Math.abs(sum(scores.data) - told) < 1e-3);
    assert.ok(check.forwardDistance >= 0 && check.forwardDistance < 0.1);
    return Math.abs(error);
  };
  assert.ok((await error(40)) < (await error(2)));
});

test('details and gradients of attention come where they are asked for', async () => {
  const plain = await model.explain(text, { method: 'gradient-input' });
  assert.deepEqual([plain.details, plain.attentionGradients], [[], []]);
  const n = plain.tokens.length;
  const more = await model.explain(text, { method: 'gradient-input', details: true, attentionGradients: true });
  assert.deepEqual(more.details[0].shape, [n, 384]);
  assert.deepEqual(
    more.attentionGradients.map(({ shape }) => shape),
    Array.from({ length: 6 }, () => [12, n, n]),
  );
  const importance = await model.explain(text, { method: 'head-importance', words: true });
  assert.deepEqual(importance.scores.shape, [6, 12]);
});

test('a list is explained one by one, with progress over all; an abort leaves the model working', async () => {
  const seen = [];
  const list = await model.explain([text, 'A dull film.'], {
    method: 'gradient-input',
    onProgress: ({ fraction }) => seen.push(fraction),
  });
  assert.deepEqual(list.map(({ target }) => target.label), ['POSITIVE', 'NEGATIVE']);
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
  assert.equal(seen.at(-1), 1);
  assert.deepEqual(await model.explain([]), []);
  const stop = new AbortController();
  await assert.rejects(
    model.explain(text, { steps: 1000, signal: stop.signal, onProgress: () => stop.abort() }),
    { name: 'AbortError' },
  );
  assert.equal((await model.classify(text))[0].label, 'POSITIVE');
});

test('models of every kind of head are explained', async () => {
  const cases = {
    'electra-discriminator': [{ token: 2 }, 2],
    'bert-mlm': [{ token: 2 }, 2],
    'roberta-qa': [{ position: 'end' }, null],
    'debertav2-tokcls': [{ token: 3 }, 3],
  };
  for (const [name, [target, token]] of Object.entries(cases)) {
    const other = await load(path.join(committedGolden, name));
    const input = name === 'roberta-qa' ? { text: 'Who?', textPair: 'It was a film by nobody.' } : 'It was a good film';
    const explanation = await other.explain(input, { method: 'gradient-input', target });
    if (token !== null) assert.equal(explanation.target.token, token);
    else assert.equal(explanation.target.position, 'end');
    assert.ok(explanation.scores.data.some((score) => score !== 0), name);
    other.dispose();
  }
});

test('what cannot be explained is refused, by name', async () => {
  await refused('E_INVALID_ARGUMENT', model.explain(text, { method: 'saliency' }));
  await refused('E_INVALID_ARGUMENT', model.explain(text, { target: { label: 'MAYBE' } }));
  await refused('E_INVALID_ARGUMENT', model.explain(text, { target: { label: 7 } }));
  await refused('E_INVALID_ARGUMENT', model.explain(text, { target: 'POSITIVE' }));
  await refused('E_INVALID_ARGUMENT', model.explain(text, { steps: 0 }));
  await refused('E_INVALID_ARGUMENT', model.explain(text, { colour: 'red' }));
  await refused('E_INVALID_ARGUMENT', model.explain('word '.repeat(200), { method: 'flow' }));
  const encoder = await load(path.join(committedGolden, 'mpnet-mlm'));
  await refused('E_INVALID_ARGUMENT', encoder.explain('no mask here'));
  encoder.dispose();
});

test('heads are switched off in every call', async () => {
  const headMask = Array.from({ length: 6 }, () => new Array(12).fill(1));
  const score = async (options) => (await model.classify('A dull film, but fun.', options))[0].score;
  const before = await score({});
  assert.equal(await score({ headMask }), before);
  headMask[5].fill(0);
  headMask[2][3] = 0;
  assert.notEqual(await score({ headMask }), before);
  const { weights } = await model.attention(text, { query: 'all', specialTokens: true, headMask });
  const [, heads, n] = weights.shape;
  const of = (layer, head) => weights.data.subarray((layer * heads + head) * n * n, (layer * heads + head + 1) * n * n);
  assert.ok(of(5, 0).every((weight) => weight === 0) && of(2, 3).every((weight) => weight === 0));
  assert.ok(of(2, 4).some((weight) => weight > 0));
  const { scores } = await model.explain(text, { method: 'head-importance', headMask });
  assert.ok(scores.data.subarray(60).every((value) => value === 0));
  await refused('E_INVALID_ARGUMENT', model.classify(text, { headMask: [[1, 1]] }));
  await refused('E_INVALID_ARGUMENT', model.classify(text, { headMask: headMask.map((row) => row.map(() => 2)) }));
  await refused('E_INVALID_ARGUMENT', model.classify(text, { headMask: 'off' }));
});

test('scores of a real model are measured beside chance', async () => {
  const review = 'The plot is a mess and the acting is dreadful, but the music was fine.';
  const { words, scores, target } = await model.explain(review, { words: true, steps: 10 });
  const measured = await faithfulness(model, review, { words, scores: scores.data });
  assert.equal(measured.target, target.label);
  assert.equal(measured.curve[0].probability, measured.probability);
  assert.ok(measured.area > measured.random.area);
});
