import { html } from 'lit';
import { search } from '../../src/search.js';
import { bars } from '../bars.js';
import { linesOf } from '../lines.js';
import { say } from '../phrases.js';
import { isBareEncoder } from '../bare-encoder.js';
import type { Task } from '../registry.js';
import { noVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { Ranked } from '../../src/types.js';

interface Neighbours {
  lines: readonly string[];
  /** The first line itself left out. */
  nearest: readonly Ranked[];
}

const task: Task<Neighbours> = {
  id: 'similarity',
  order: 90,
  name: (strings) => strings.similarity.name,
  // Every encoder gives vectors; where it has another head, that is what it was made for.
  fits: (info) => info.sentence !== null || isBareEncoder(info),
  fields: () => [{ name: 'text', label: (strings) => strings.similarity.lines }],
  examples: [
    {
      name: 'Four sentences',
      fields: {
        text: [
          'The lamp turns over an empty sea.',
          'A light sweeps across the water.',
          'The harbour office opens at nine.',
          'Add two eggs and stir until smooth.',
        ].join('\n'),
      },
    },
  ],

  async run(model, { text }, signal) {
    const lines = linesOf(text);
    const [first = ''] = lines;
    const attention = await wholeAttention(model, first, signal);
    const vectors = await model.embed(lines, { specialTokensInText: 'text', signal });
    const nearest = search(vectors, vectors[0]!).filter(({ index }) => index !== 0);
    return { text: first, pair: null, attention, answer: { lines, nearest } };
  },

  verdict({ answer, strings }) {
    if (!answer) return noVerdict;
    const best = answer.nearest[0];
    return html`<div class="verdict">
      ${
        best
          ? html`<strong class="number">${best.score.toFixed(3)}</strong>
              <span class="quiet">${say(strings.similarity.nearest, { line: best.index + 1 })}</span>`
          : html`<span class="quiet">${strings.similarity.more}</span>`
      }
    </div>`;
  },

  details({ answer, fields, strings, write }) {
    const lines = linesOf(fields.text);
    return bars(
      (answer?.nearest ?? []).map(({ index, score }, place) => ({
        name: answer!.lines[index]!,
        score,
        written: score.toFixed(3),
        current: place === 0,
        choose: () => write({ text: [lines[index], ...lines.filter((_, i) => i !== index)].join('\n') }),
      })),
      strings.similarity.neighbours,
      Math.max(0, lines.length - 1),
    );
  },

  hint: (strings) => strings.similarity.hint,
};

export default task;
