// model.forward against what Hugging Face's transformers computed, in Node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../support/built.mjs';
import {
  bertCases,
  callOf,
  committedGolden,
  difference,
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
    const result = await model.forward(text, { ...options, ...everything });
    for (const [name, [key, axes]] of Object.entries(tensors)) {
      const tensor = expected[`${index}.${name}`];
      if (!tensor) continue;
      assert.ok(result[key], `${index}.${name} is there`);
      const actual = pick(name === 'attentions' ? stack(result[key]) : result[key], golden[`${name}_kept`]);
      const perToken = name !== 'logits' || tensor.shape.length > 1;
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
  assert.deepEqual(encoding.typeIds, expected.token_type_ids);
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

for (const folder of bertCases(committedGolden)) {
  test(`${folder.split('/').at(-1)}, committed`, () => check(folder));
}

test(
  'the whole set',
  { skip: wholeGolden ? false : 'HEADLIGHT_GOLDEN or ../shared/golden is not there' },
  async (t) => {
    const cases = bertCases(wholeGolden);
    assert.ok(cases.length >= 11);
    for (const folder of cases) await t.test(folder.split('/').at(-1), () => check(folder));
  },
);
