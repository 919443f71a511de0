import { html } from 'lit';
import type { Task } from '../registry.js';
import { wholeAttention } from '../whole-attention.js';

// What is left for an encoder whose head no other task reads.
const task: Task<null> = {
  id: 'attention',
  order: 100,
  name: (strings) => strings.attention.name,
  fits: ({ tasks }) => tasks.includes('attention') && tasks.includes('embed') && tasks.length <= 3,
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
