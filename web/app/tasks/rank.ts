import { html } from 'lit';
import { bars } from '../bars.js';
import { linesOf } from '../lines.js';
import { scoreText } from '../phrases.js';
import type { Task } from '../registry.js';
import { noVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { Ranked } from '../../src/types.js';

interface Ranking {
  documents: readonly string[];
  ranked: readonly Ranked[];
}

const task: Task<Ranking> = {
  id: 'rank',
  order: 20,
  name: (strings) => strings.rank.name,
  fits: ({ tasks }) => tasks.includes('rank'),
  fields: () => [
    { name: 'text', label: (strings) => strings.rank.query, line: true },
    { name: 'pair', label: (strings) => strings.rank.documents },
  ],
  examples: [
    {
      name: 'When is the lamp lit?',
      fields: {
        text: 'When is the lamp lit?',
        pair: [
          'The boat comes once a week.',
          'Every evening the keeper climbs the stairs and lights the lamp.',
          'The harbour office opens at nine.',
        ].join('\n'),
      },
    },
  ],

  async run(model, { text, pair }, signal) {
    const documents = linesOf(pair);
    const ranked = await model.rank(text, documents, { specialTokensInText: 'text', signal });
    const best = documents[ranked[0]!.index]!;
    const attention = await wholeAttention(model, { text, textPair: best }, signal);
    return { text, pair: best, attention, answer: { documents, ranked } };
  },

  verdict({ answer, strings }) {
    if (!answer) return noVerdict;
    return html`<div class="verdict"><strong>${strings.rank.best}</strong></div>`;
  },

  details({ answer, fields, strings }) {
    return bars(
      (answer?.ranked ?? []).map(({ index, score }, place) => ({
        name: answer!.documents[index]!,
        score,
        current: place === 0,
        written: scoreText(score),
      })),
      strings.rank.documents,
      linesOf(fields.pair).length,
    );
  },

  hint: (strings) => strings.rank.hint,
};

export default task;
