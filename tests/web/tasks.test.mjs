// Every task through model.* and pipeline() against what transformers' pipelines gave, in Node.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { library } from '../support/built.mjs';
import { committedGolden, goldenCases, readCase, wholeGolden } from '../support/golden.mjs';

const { load, pipeline } = library;

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) <= 1e-4, `${actual} is not ${expected}`);

/** Compares lists of records: scores by distance, the rest exactly. */
function agree(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [index, record] of expected.entries()) {
    const { score, start_utf16: start, end_utf16: end, ...rest } = record;
    const { score: actualScore, ...actualRest } = actual[index];
    near(actualScore, score);
    assert.deepEqual(actualRest, start === undefined ? rest : { ...rest, start, end });
  }
}

const listed = (value) => (Array.isArray(value) ? value : [value]);

/** How each task is called, and how the calls' results become those of Python. */
const tasks = {
  'text-classification': {
    direct: (model, { text, text_pair: textPair, function_to_apply: functionToApply }) =>
      model.classify(textPair === undefined ? text : { text, textPair }, { functionToApply }),
    piped: (pipe, { text, text_pair: pair, function_to_apply }) =>
      pipe(pair === undefined ? text : { text, text_pair: pair }, { top_k: null, ...(function_to_apply && { function_to_apply }) }),
  },
  'token-classification': {
    direct: async (model, { text, aggregation_strategy: aggregation }) =>
      (await model.entities(text, { aggregation })).map(({ entity, ...rest }) =>
        aggregation === 'none' ? { entity, ...rest } : { entity_group: entity, ...rest },
      ),
    piped: (pipe, { text, aggregation_strategy }) => pipe(text, { aggregation_strategy }),
  },
  'fill-mask': {
    direct: async (model, { text, top_k: topK, targets }) =>
      (await model.fillMask(text, { topK, targets })).map(function rename(filled) {
        if (Array.isArray(filled)) return filled.map(rename);
        const { tokenText, ...rest } = filled;
        return { ...rest, token_str: tokenText };
      }),
    piped: (pipe, { text, top_k, targets }) => pipe(text, { ...(top_k && { top_k }), ...(targets && { targets }) }),
  },
  'question-answering': {
    direct: (model, { question, context, options }) =>
      model.answer(
        { question, context },
        {
          topK: options.top_k,
          maxAnswerLength: options.max_answer_len,
          maxLength: options.max_seq_len,
          stride: options.doc_stride,
          allowNoAnswer: options.handle_impossible_answer,
          alignToWords: options.align_to_words,
        },
      ),
    piped: async (pipe, { question, context, options }) => listed(await pipe(question, context, options)),
  },
};

async function check(folder) {
  const { golden } = readCase(folder);
  const calls = (golden.pipeline ?? []).filter(({ task }) => tasks[task]);
  const names = [...new Set(calls.map(({ task }) => task))];
  for (const name of names) {
    const pipe = await pipeline(name, folder);
    for (const call of calls.filter(({ task }) => task === name)) {
      const expected = Array.isArray(call.result[0]) ? call.result : [call.result];
      for (const way of ['direct', 'piped']) {
        const result = await tasks[name][way](way === 'direct' ? pipe.model : pipe, call);
        const lists = Array.isArray(result[0]) ? result : [result];
        assert.equal(lists.length, expected.length);
        lists.forEach((list, index) => agree([...list], expected[index]));
      }
    }
    await pipe.dispose();
  }
  return calls.length + (await checkZeroShot(folder, golden)) + (await checkFeatures(folder, golden)) + (await checkOverflow(folder, golden));
}

async function checkZeroShot(folder, golden) {
  const calls = (golden.pipeline ?? []).filter(({ task }) => task === 'zero-shot-classification');
  if (calls.length === 0) return 0;
  const pipe = await pipeline('zero-shot-classification', folder);
  for (const { text, candidate_labels, multi_label, hypothesis_template, result } of calls) {
    const piped = await pipe(text, candidate_labels, { multi_label, hypothesis_template });
    const direct = await pipe.model.zeroShot(text, candidate_labels, {
      multiLabel: multi_label,
      hypothesisTemplate: hypothesis_template,
    });
    assert.deepEqual(Object.keys(piped), ['sequence', 'labels', 'scores']);
    assert.equal(piped.sequence, text);
    for (const { labels, scores } of [piped, direct]) {
      assert.deepEqual(labels, result.labels);
      scores.forEach((score, index) => near(score, result.scores[index]));
    }
  }
  await pipe.dispose();
  return calls.length;
}

async function checkFeatures(folder, golden) {
  const calls = (golden.pipeline ?? []).filter(({ task }) => task === 'feature-extraction');
  for (const { text, shape, first_token } of calls) {
    const pipe = await pipeline('feature-extraction', folder);
    const { dims, data } = await pipe(text);
    assert.deepEqual(dims, shape);
    first_token.forEach((value, index) => near(data[index], value));
    await pipe.dispose();
  }
  return calls.length;
}

async function checkOverflow(folder, { overflow }) {
  if (!overflow) return 0;
  const model = await load(folder);
  const { question, context, options, windows } = overflow;
  const encoding = await model.tokenize(question, {
    textPair: context,
    truncation: options.truncation,
    maxLength: options.max_length,
    stride: options.stride,
  });
  const all = [encoding, ...encoding.overflow];
  assert.equal(all.length, windows.length);
  for (const [index, { input_ids, tokens, offsets, sequence_ids, word_ids }] of windows.entries()) {
    const { ids, tokens: ownTokens, codePointOffsets, sequenceIds, wordIds } = all[index];
    assert.deepEqual(
      { ids, tokens: ownTokens, codePointOffsets, sequenceIds, wordIds },
      { ids: input_ids, tokens, codePointOffsets: offsets, sequenceIds: sequence_ids, wordIds: word_ids },
    );
  }
  model.dispose();
  return 1;
}

/** Checks each case; every call that the goldens hold must have been compared. */
async function checkAll(t, root) {
  let compared = 0;
  let held = 0;
  for (const folder of goldenCases(root)) {
    const { golden } = readCase(folder);
    held += (golden.pipeline ?? []).length + (golden.overflow ? 1 : 0);
    await t.test(path.basename(folder), async () => {
      compared += await check(folder);
    });
  }
  assert.ok(held > 200, `the goldens hold ${held} calls`);
  assert.equal(compared, held);
}

test('the committed goldens', (t) => checkAll(t, committedGolden));

test(
  'the whole set',
  { skip: wholeGolden ? false : 'HEADLIGHT_GOLDEN or ../shared/golden is not there' },
  (t) => checkAll(t, wholeGolden),
);

test('embeddings are those of PyTorch', async () => {
  const kinds = {
    embed_mean: { pooling: 'mean' },
    embed_mean_norm: { pooling: 'mean', normalize: true },
    embed_cls: { pooling: 'cls' },
    embed_cls_norm: { pooling: 'cls', normalize: true },
  };
  let compared = 0;
  for (const folder of goldenCases(committedGolden)) {
    const { golden, tensors } = readCase(folder);
    const model = await load(folder);
    for (const [index, { text, text_pair: textPair, options }] of golden.inputs.entries()) {
      const taskTypeId = tensors[`${index}.task_type_ids`]?.data[0];
      for (const [kind, option] of Object.entries(kinds)) {
        const expected = tensors[`${index}.${kind}`];
        if (!expected) continue;
        const input = textPair === null ? text : { text, textPair };
        const { data, shape } = await model.embed(input, { ...option, maxLength: options.max_length, taskTypeId });
        assert.deepEqual(shape, [model.info.hiddenSize]);
        assert.ok(data instanceof Float32Array);
        expected.data.forEach((value, at) => near(data[at], value));
        compared++;
      }
    }
    model.dispose();
  }
  assert.ok(compared >= 200, `${compared} vectors were compared`);
});

test('nextSentence', async () => {
  const folder = path.join(committedGolden, 'bert-nsp');
  const model = await load(folder);
  let compared = 0;
  for (const { text, text_pair: textPair, options, next_sentence: expected } of readCase(folder).golden.inputs) {
    if (textPair === null) continue;
    const { isNext, score, truncated } = await model.nextSentence({ text, textPair }, { maxLength: options.max_length });
    near(score, expected.probabilities[0]);
    assert.equal(isNext, expected.probabilities[0] >= 0.5);
    assert.ok(Array.isArray(truncated));
    compared++;
  }
  assert.ok(compared > 0);
  await assert.rejects(model.nextSentence('alone'), { code: 'E_INVALID_ARGUMENT' });
  model.dispose();
});
