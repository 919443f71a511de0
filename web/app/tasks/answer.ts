import { html } from 'lit';
import { bars } from '../bars.js';
import { marked } from '../marked.js';
import type { Task } from '../registry.js';
import { noVerdict, scoredVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { Answer } from '../../src/types.js';

/** Answers that are listed beneath the best one. */
const SHOWN = 2;

const LIGHTHOUSE =
  'The lighthouse stands on a rock north of the harbour. Every evening the keeper climbs its 212 steps and lights the lamp; his daughter puts it out at dawn.';

interface Found {
  /** The best first. */
  answers: readonly Answer[];
  /** Score of there being none, where it is among those that were compared. */
  none: number | null;
}

/** null: that there is none is likelier than any answer. */
const bestOf = ({ answers: [best], none }: Found): Answer | null =>
  best && best.score >= (none ?? 0) ? best : null;

const task: Task<Found> = {
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
        pair: LIGHTHOUSE,
      },
    },
    {
      name: 'How many steps are there?',
      fields: {
        text: 'How many steps are there?',
        pair: LIGHTHOUSE,
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
    if (!answer) return noVerdict;
    const best = bestOf(answer);
    const score = best?.score ?? answer.none ?? 0;
    return scoredVerdict(best ? html`<bdi>${best.answer}</bdi>` : strings.answer.none, score);
  },

  details({ answer, fields, strings }) {
    const best = answer && bestOf(answer);
    const others = (answer?.answers ?? []).filter((other) => other !== best).slice(0, SHOWN);
    const none = best && answer.none !== null ? [{ name: strings.answer.none, score: answer.none }] : [];
    return html`${marked('marked plain-marks', fields.pair, best ? [best] : [], (text) => html`<mark>${text}</mark>`)}
      ${bars(
        [...others.map(({ answer: name, score }) => ({ name, score })), ...none],
        strings.answer.others,
        SHOWN + 1,
      )}`;
  },
};

export default task;
