// Measures of scores, on a model whose probability is the sum of what its words weigh.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importModule } from '../support/built.mjs';

const { faithfulness } = await importModule('faithfulness.js');

const weights = { good: 0.4, fine: 0.2, film: 0.05 };
const model = {
  info: { tasks: ['classify'], labels: ['POS', 'NEG'], architecture: 'Tiny', family: 'bert' },
  read: [],
  async classify(texts) {
    this.read = texts;
    return texts.map((input) => {
      const text = typeof input === 'string' ? input : `${input.text} ${input.textPair ?? ''}`;
      const positive = 0.1 + text.split(/\W+/).reduce((sum, word) => sum + (weights[word] ?? 0), 0);
      const scores = [
        { label: 'POS', score: positive },
        { label: 'NEG', score: 1 - positive },
      ];
      return scores.sort((a, b) => b.score - a.score);
    });
  },
};
const wordsOf = (text, sequenceId = 0) =>
  [...text.matchAll(/\w+/g)].map((match, wordId) => ({
    text: match[0],
    id: null,
    start: match.index,
    end: match.index + match[0].length,
    sequenceId,
    wordId,
  }));
const special = { text: '[CLS]', id: 1, start: 0, end: 0, sequenceId: null, wordId: null };
const text = 'A  good, fine\nfilm';
const words = [special, ...wordsOf(text)];
const right = [9, 0, 0.4, 0.2, 0.05];
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, not ${expected}`);

test('the highest words are taken out first: the falls are those of the formulas', async () => {
  const measured = await faithfulness(model, text, { words, scores: right });
  assert.equal(measured.target, 'POS');
  near(measured.probability, 0.75);
  // One word at 1 to 20 % and at 50 % two of the four: good, then good and fine.
  near(measured.comprehensiveness, (4 * 0.4 + 0.6) / 5);
  near(measured.sufficiency, 0.75 - (4 * 0.5 + 0.7) / 5);
  const falls = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4].map((count) => [0.4, 0.6, 0.65, 0.65][count - 1]);
  near(measured.area, falls.reduce((sum, fall) => sum + fall, 0) / 10);
  assert.deepEqual(
    measured.curve.map(({ removed }) => removed),
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  );
  near(measured.curve[0].probability, 0.75);
  near(measured.curve.at(-1).probability, 0.1);
  assert.ok(measured.random.comprehensiveness < measured.comprehensiveness);
  assert.ok(measured.random.sufficiency > measured.sufficiency);
  assert.equal(measured.random.curve.length, 11);
});

test('wrong scores are no better than chance, and the same seed gives the same chance', async () => {
  const wrong = await faithfulness(model, text, { words, scores: right.map((score) => -score) });
  assert.ok(wrong.comprehensiveness < wrong.random.comprehensiveness);
  const again = await faithfulness(model, text, { words, scores: right });
  assert.deepEqual(again.random, wrong.random);
  const other = await faithfulness(model, text, { words, scores: right }, { seed: 2, randomOrders: 1 });
  assert.notDeepEqual(other.random, wrong.random);
});

test('what is read: the text without words, their gaps closed; each text of a pair by itself', async () => {
  await faithfulness(model, text, { words, scores: right });
  assert.equal(model.read.length, 1 + 4 * 20);
  assert.equal((await faithfulness(model, text, { words, scores: right }, { randomOrders: 0 })).random, null);
  assert.equal(model.read.length, 1 + 20);
  assert.equal(model.read[0], text);
  assert.equal(model.read[1], 'A , fine film');
  assert.equal(model.read[6], 'good,');
  assert.equal(model.read[20], ',');
  const pair = { text: 'good film', textPair: 'fine' };
  const pairWords = [...wordsOf('good film'), ...wordsOf('fine', 1)];
  const measured = await faithfulness(model, pair, { words: pairWords, scores: [0.1, 0, 0.9] }, { target: 'NEG' });
  assert.deepEqual(model.read[1], { text: 'good film', textPair: '' });
  near(measured.probability, 0.25);
});

test('what cannot be measured is refused', async () => {
  const refused = (code, call) =>
    assert.rejects(call, (error) => error.code === code);
  const scores = right;
  await refused('E_INVALID_ARGUMENT', faithfulness(model, text, { words, scores: [1] }));
  await refused('E_INVALID_ARGUMENT', faithfulness(model, text, { words: [special], scores: [1] }));
  await refused('E_INVALID_ARGUMENT', faithfulness(model, text, { words, scores }, { target: 'MAYBE' }));
  await refused('E_INVALID_ARGUMENT', faithfulness(model, text, { words, scores }, { randomOrders: -1 }));
  const encoder = { ...model, info: { ...model.info, tasks: ['embed'] } };
  await refused('E_TASK_MISMATCH', faithfulness(encoder, text, { words, scores }));
});
