import { html } from 'lit';
import { bars } from '../bars.js';
import type { Task } from '../registry.js';
import { noVerdict, scoredVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { ZeroShot } from '../../src/types.js';

/** Labels as they are typed: parted by commas or lines. */
const labelsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[,，;；\n]/)
      .map((label) => label.trim())
      .filter(Boolean),
  ),
];

const HYPOTHESIS = 'This example is {}.';

const task: Task<ZeroShot> = {
  id: 'zeroShot',
  order: 20,
  name: (strings) => strings.zeroShot.name,
  fits: ({ tasks }) => tasks.includes('zeroShot'),
  fields: () => [
    { name: 'text', label: (strings) => strings.yourText },
    { name: 'labels', label: (strings) => strings.zeroShot.labels, line: true },
  ],
  examples: [
    {
      name: 'A late train',
      fields: {
        text: 'The train was an hour late, and nobody told us why.',
        labels: 'complaint, praise, question',
      },
    },
  ],

  async run(model, { text, labels }, signal) {
    const answer = await model.zeroShot(text, labelsOf(labels), {
      hypothesisTemplate: HYPOTHESIS,
      specialTokensInText: 'text',
      signal,
    });
    const pair = HYPOTHESIS.replace('{}', () => answer.labels[0]!);
    return { text, pair, attention: await wholeAttention(model, { text, textPair: pair }, signal), answer };
  },

  verdict({ answer }) {
    if (!answer) return noVerdict;
    return scoredVerdict(html`<bdi>${answer.labels[0]}</bdi>`, answer.scores[0]!);
  },

  details: ({ answer, fields, strings }) =>
    bars(
      (answer?.labels ?? []).map((name, i) => ({ name, score: answer!.scores[i]! })).slice(1),
      strings.zeroShot.others,
      labelsOf(fields.labels).length - 1,
    ),

  hint: (strings) => strings.zeroShot.hint,
};

export default task;
