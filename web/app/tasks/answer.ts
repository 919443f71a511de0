import { html } from 'lit';
import { bar, bars } from '../bars.js';
import { marked } from '../marked.js';
import { percent } from '../phrases.js';
import type { Task } from '../registry.js';
import { wholeAttention } from '../whole-attention.js';
import type { Answer } from '../../src/types.js';

/** Answers that are listed. */
const SHOWN = 3;

const task: Task<{ answers: Answer[]; none: number | null }> = {
  id: 'answer',
  order: 10,
  name: (strings) => strings.answer.name,
  fits: ({ tasks }) => tasks.includes('answer'),
  fields: () => [
    { name: 'text', label: (strings) => strings.answer.question, line: true },
    { name: 'pair', label: (strings) => strings.answer.context },
  ],
  examples: [
    {
      name: 'Who lights the lamp?',
      fields: {
        text: 'Who lights the lamp?',
        pair: 'The lighthouse stands on a rock north of the harbour. Every evening the keeper climbs its 212 steps and lights the lamp; his daughter puts it out at dawn.',
      },
    },
    {
      name: 'How many steps are there?',
      fields: {
        text: 'How many steps are there?',
        pair: 'The lighthouse stands on a rock north of the harbour. Every evening the keeper climbs its 212 steps and lights the lamp; his daughter puts it out at dawn.',
      },
    },
  ],

  async run(model, { text, pair }, signal) {
    const attention = await wholeAttention(model, { text, textPair: pair }, signal);
    const all = await model.answer(
      { question: text, context: pair },
      { topK: 20, allowNoAnswer: true, specialTokensInText: 'text', signal },
    );
    const none = all.find(({ answer }) => answer === '')?.score ?? null;
    return { text, pair, attention, answer: { answers: all.filter(({ answer }) => answer !== ''), none } };
  },

  verdict({ answer, strings }) {
    if (!answer) return html`<div class="verdict"></div>`;
    const [best] = answer.answers;
    if (!best || (answer.none ?? 0) > best.score) {
      return html`<div class="verdict"><strong>${strings.answer.none}</strong> ${percent(answer.none ?? 0)}</div>`;
    }
    return html`<div class="verdict">
      <strong><bdi>${best.answer}</bdi></strong> ${bar(best.score)}<span class="number">${percent(best.score)}</span>
    </div>`;
  },

  details({ answer, fields, strings }) {
    const [best] = answer?.answers ?? [];
    const shown = (answer?.answers ?? []).slice(0, SHOWN);
    const found = best && (answer?.none ?? 0) <= best.score ? [best] : [];
    return html`${marked('marked plain-marks', fields.pair, found, (text) => html`<mark>${text}</mark>`)}
      ${bars(
        [
          ...shown.map(({ answer: name, score }) => ({ name, score })),
          ...(answer && answer.none !== null ? [{ name: strings.answer.none, score: answer.none }] : []),
        ],
        strings.answer.answers,
        SHOWN + 1,
      )}`;
  },
};

export default task;
