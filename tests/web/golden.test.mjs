// model.forward against what Hugging Face's transformers computed, in Node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../support/built.mjs';
import {
  callOf,
  committedGolden,
  difference,
  goldenCases,
  readCase,
  scaleOf,
  wholeGolden,
  withoutPadding,
} from '../support/golden.mjs';

const everything = { lastHiddenState: true, poolerOutput: true, hiddenStates: true, attentions: true };

// By name in golden.safetensors: where the result is, and its axes of tokens.
const tensors = {
  logits: ['logits', [0]],
  start_logits: ['startLogits', [0]],
  end_logits: ['endLogits', [0]],
  last_hidden_state: ['lastHiddenState', [0]],
  pooler_output: ['poolerOutput', []],
  hidden_states: ['hiddenStates', [1]],
  attentions: ['attentions', [2, 3]],
};

async function check(folder) {
  const { golden, tensors: expected } = readCase(folder);
  const model = await library.load(folder);
  let compared = 0;
  for (const [index, input] of golden.inputs.entries()) {
    const [text, options] = callOf(input);
    checkEncoding(await model.tokenize(text, options), input);
    const taskTypeId = expected[`${index}.task_type_ids`]?.data[0];
    const result = await model.forward(text, { ...options, ...everything, taskTypeId });
    for (const [name, [key, axes]] of Object.entries(tensors)) {
      // Where Hugging Face's matrix leaves out what was attended to, the case holds a whole one beside it.
      const tensor = expected[`${index}.${name}_effective`] ?? expected[`${index}.${name}`];
      if (!tensor) continue;
      assert.ok(result[key], `${index}.${name} is there`);
      const actual = pick(name === 'attentions' ? stack(result[key]) : result[key], golden[`${name}_kept`]);
      const perToken = name !== 'logits' || tensor.shape.length > 1 || golden.task === 'disc';
      const wanted = perToken ? withoutPadding(tensor, input.attention_mask, axes) : tensor;
      const tolerance = 1e-4 * (name.endsWith('logits') ? scaleOf(tensor) : 1);
      const distance = difference(actual, wanted);
      assert.ok(distance <= tolerance, `${index}.${name} differs by ${distance}`);
      compared++;
    }
  }
  model.dispose();
  assert.ok(compared >= golden.inputs.length, `${compared} tensors were compared`);
}

function checkEncoding(encoding, expected) {
  assert.deepEqual(encoding.ids, expected.input_ids);
  assert.deepEqual(encoding.tokens, expected.tokens);
  assert.deepEqual(encoding.offsets, expected.offsets_utf16);
  assert.deepEqual(encoding.codePointOffsets, expected.offsets);
  assert.deepEqual(encoding.wordIds, expected.word_ids);
  assert.deepEqual(encoding.sequenceIds, expected.sequence_ids);
  if (expected.token_type_ids) assert.deepEqual(encoding.typeIds, expected.token_type_ids);
  assert.deepEqual(encoding.attentionMask, expected.attention_mask);
  assert.deepEqual(encoding.specialTokensMask, expected.special_tokens_mask);
}

/** [[heads, n, n], ...] -> [layers, heads, n, n] */
const stack = (layers) => ({
  shape: [layers.length, ...layers[0].shape],
  data: layers.flatMap(({ data }) => [...data]),
});

/** The entries of the first axis that a trimmed golden keeps. */
function pick({ shape, data }, kept) {
  if (!kept) return { shape, data };
  const size = data.length / shape[0];
  return {
    shape: [kept.length, ...shape.slice(1)],
    data: kept.flatMap((at) => [...data.slice(at * size, (at + 1) * size)]),
  };
}

for (const folder of goldenCases(committedGolden)) {
  test(`${folder.split('/').at(-1)}, committed`, () => check(folder));
}

test(
  'the whole set',
  { skip: wholeGolden ? false : 'HEADLIGHT_GOLDEN or ../shared/golden is not there' },
  async (t) => {
    const cases = goldenCases(wholeGolden);
    assert.ok(cases.length >= 39);
    for (const folder of cases) await t.test(folder.split('/').at(-1), () => check(folder));
  },
);

test('compact attentions expand to the whole ones', async () => {
  const folder = `${committedGolden}/longformer-qa`;
  const [text, options] = callOf(readCase(folder).golden.inputs[0]);
  const model = await library.load(folder);
  const result = await model.forward(text, { ...options, attentions: true, compactAttentions: true });
  model.dispose();
  for (const [layer, compact] of result.compactAttentions.entries()) {
    const [heads, n] = result.attentions[layer].shape;
    assert.ok(compact.weights.data.length < heads * n * n, 'the compact form is the smaller');
    for (let head = 0; head < heads; head++) {
      const whole = result.attentions[layer].data.subarray(head * n * n, (head + 1) * n * n);
      assert.deepEqual(library.expandAttention(compact, head), { data: whole.slice(), shape: [n, n] });
    }
    assert.throws(() => library.expandAttention(compact, heads), { code: 'E_INVALID_ARGUMENT' });
  }
});

test('global tokens are the caller’s to choose', async () => {
  const folder = `${committedGolden}/longformer-qa`;
  const model = await library.load(folder);
  const input = { text: 'who was it', textPair: 'it was the very same man whom they had seen the day before at the fair' };
  const seen = async (globalTokens) => {
    const { compactAttentions } = await model.forward(input, { compactAttentions: true, layers: [0], globalTokens });
    return compactAttentions[0].firstWeight.at(-1);
  };
  assert.ok((await seen([])) < (await seen([0])));
  assert.ok((await seen([0])) < (await seen([0, 1])));
  await assert.rejects(seen([1000]), { code: 'E_INVALID_ARGUMENT' });
  model.dispose();
});
