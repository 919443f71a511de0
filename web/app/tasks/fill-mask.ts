import { html } from 'lit';
import { bars } from '../bars.js';
import { marked } from '../marked.js';
import { say } from '../phrases.js';
import type { Task } from '../registry.js';
import { tokenAt } from '../units.js';
import { wholeAttention } from '../whole-attention.js';
import type { FilledMask, Model } from '../../src/types.js';

/** How the page writes a blank. */
const BLANK = '[MASK]';
/** Other names of the mask token; of the same length, so that offsets stay. */
const OTHER = '<mask>';
const CANDIDATES = 5;
/** Blanks that have their candidates shown. */
const SHOWN = 12;

const blanksOf = (text: string) =>
  [...text.matchAll(/\[MASK\]|<mask>/g)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));

/** The text with its blanks as the model's vocabulary has them. */
async function masked(model: Model, text: string): Promise<string> {
  const name = (await model.tokenToId(BLANK)) === null ? OTHER : BLANK;
  return text.replaceAll(name === BLANK ? OTHER : BLANK, name);
}

const task: Task<FilledMask[][]> = {
  id: 'fillMask',
  order: 10,
  name: (strings) => strings.fillMask.name,
  fits: ({ tasks }) => tasks.includes('fillMask'),
  fields: () => [
    {
      name: 'text',
      label: (strings) => strings.yourText,
      insert: { name: (strings) => strings.fillMask.insert, text: BLANK },
    },
  ],
  examples: [
    { name: 'The keeper lights the ＿', fields: { text: 'The keeper lights the [MASK] every evening.' } },
    { name: 'Two blanks', fields: { text: 'The [MASK] was good, but the service was [MASK].' } },
  ],

  async run(model, { text }, signal) {
    const input = await masked(model, text);
    const attention = await wholeAttention(model, input, signal, 'parse');
    const blanks = blanksOf(text);
    const first = blanks[0];
    if (!first) return { text, pair: null, attention, answer: [] };
    const filled = await model.fillMask(input, { topK: CANDIDATES, signal });
    const answer = (Array.isArray(filled[0]) ? filled : [filled]) as FilledMask[][];
    return { text, pair: null, attention, answer, look: tokenAt(attention, first.start) ?? 0 };
  },

  verdict({ answer, fields, strings }) {
    if (answer?.length === 0) {
      return html`<p class="verdict quiet">${say(strings.fillMask.noBlank, { blank: BLANK })}</p>`;
    }
    const blanks = blanksOf(fields.text).slice(0, SHOWN);
    const best = (i: number) => answer?.[i]?.[0]?.tokenText.replace(/^##/, '') ?? '\u2003';
    return marked(
      'verdict filled',
      fields.text,
      blanks.map((span, i) => ({ ...span, i })),
      (_, { i }) => html`<b class="blank">${best(i)}</b>`,
    );
  },

  details({ answer, fields, strings, tokenAt: tokenOf, look, query, write }) {
    const blanks = blanksOf(fields.text).slice(0, SHOWN);
    return html`<div class="blanks">
      ${blanks.map((span, i) => {
        const title = say(strings.fillMask.blankN, { n: i + 1 });
        const token = tokenOf(span.start);
        const put = (word: string) =>
          write({ text: fields.text.slice(0, span.start) + word + fields.text.slice(span.end) });
        return html`<section aria-label=${title}>
          <p>
            <strong>${title}</strong>
            <button
              type="button"
              class="plain quiet"
              aria-pressed=${token !== null && token === query ? 'true' : 'false'}
              @click=${() => token !== null && look(token)}
            >
              ${strings.fillMask.look}
            </button>
          </p>
          ${bars(
            (answer?.[i] ?? []).map(({ tokenText, score }) => ({
              name: tokenText.replace(/^##/, ''),
              score,
              choose: () => put(tokenText.replace(/^(##|[\u0120\u2581])/, '')),
            })),
            say(strings.fillMask.candidates, { n: i + 1 }),
            CANDIDATES,
          )}
        </section>`;
      })}
    </div>`;
  },

  hint: (strings) => strings.fillMask.hint,
};

export default task;
