import { html } from 'lit';
import { isBareEncoder } from '../bare-encoder.js';
import type { Task } from '../registry.js';
import { wholeAttention } from '../whole-attention.js';

const task: Task<null> = {
  id: 'attention',
  order: 100,
  name: (strings) => strings.attention.name,
  fits: isBareEncoder,
  fields: () => [{ name: 'text', label: (strings) => strings.yourText }],
  examples: [
    { name: 'The keeper waits', fields: { text: 'The keeper waits, and the lamp turns over an empty sea.' } },
  ],

  async run(model, { text }, signal) {
    return { text, pair: null, attention: await wholeAttention(model, text, signal), answer: null };
  },

  verdict: ({ strings }) => html`<p class="verdict quiet">${strings.attention.none}</p>`,
};

export default task;
