import type { Task } from '../registry.js';
import { noVerdict, scoredVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { NextSentence } from '../../src/types.js';

const task: Task<NextSentence> = {
  id: 'nextSentence',
  order: 10,
  name: (strings) => strings.nextSentence.name,
  fits: ({ tasks }) => tasks.includes('nextSentence'),
  fields: () => [
    { name: 'text', label: (strings) => strings.nextSentence.first },
    { name: 'pair', label: (strings) => strings.nextSentence.second },
  ],
  examples: [
    {
      name: 'Follows',
      fields: { text: 'The radio broke in the storm.', pair: 'Nobody could call the harbour any more.' },
    },
    {
      name: 'Does not',
      fields: { text: 'The radio broke in the storm.', pair: 'Add two eggs and stir until smooth.' },
    },
  ],

  async run(model, { text, pair }, signal) {
    const input = { text, textPair: pair };
    const attention = await wholeAttention(model, input, signal);
    const answer = await model.nextSentence(input, { specialTokensInText: 'text', signal });
    return { text, pair, attention, answer };
  },

  verdict({ answer, strings }) {
    if (!answer) return noVerdict;
    return scoredVerdict(answer.isNext ? strings.nextSentence.follows : strings.nextSentence.doesNot, answer.score);
  },
};

export default task;
