import { html } from 'lit';
import { bars } from '../bars.js';
import { marked } from '../marked.js';
import { say } from '../phrases.js';
import type { Task } from '../registry.js';
import { wholeAttention } from '../whole-attention.js';
import type { FilledMask } from '../../src/types.js';

/** How the page writes a blank, whatever the model's vocabulary calls it; another spelling is understood. */
const BLANK = '[MASK]';
const blank = /\[MASK\]|<mask>/gi;
const CANDIDATES = 5;
/** Blanks that have their candidates shown. */
const SHOWN = 12;

const blanksOf = (text: string) =>
  [...text.matchAll(blank)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));

/** A text with a blank at its end, before the signs that end it. */
function withBlank(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.!?。！？…]/.test(text[end - 1]!)) end--;
  const spaced = end > 0 && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u.test(text.slice(Math.max(0, end - 2), end));
  return `${text.slice(0, end)}${spaced ? ' ' : ''}${BLANK}${text.slice(end)}`;
}

interface Filled {
  /** Of each blank its candidates. */
  candidates: readonly FilledMask[][];
  /** Of each blank its token, as far as the text was read. */
  tokens: readonly number[];
}

/** A candidate as a word of the text: without the marks by which vocabularies tell beginnings from continuations. */
const wordOf = ({ tokenText }: FilledMask): string => tokenText.replace(/^(##|[\u0120\u2581])/, '');

const task: Task<Filled> = {
  id: 'fillMask',
  order: 10,
  name: (strings) => strings.fillMask.name,
  specialTokensInText: 'parse',
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

  async run(model, { text: typed }, signal) {
    const mask = model.info.maskToken!;
    const text = typed.replaceAll(blank, () => mask);
    const attention = await wholeAttention(model, text, signal, 'parse');
    const tokens = attention.tokens.flatMap(({ start, end, sequenceId }, i) =>
      sequenceId === 0 && text.slice(start, end).trim() === mask ? [i] : [],
    );
    const filled = tokens.length > 0 ? await model.fillMask(text, { topK: CANDIDATES, signal }) : [];
    const candidates = (tokens.length === 1 ? [filled] : filled) as FilledMask[][];
    return { text, pair: null, attention, answer: { candidates, tokens }, look: tokens[0] ?? 0 };
  },

  verdict({ answer, fields, strings, write }) {
    const blanks = blanksOf(fields.text).map((span, i) => ({ ...span, i }));
    if (blanks.length === 0) {
      const put = () => write({ text: withBlank(fields.text) });
      return html`<p class="verdict asks">
        ${say(strings.fillMask.noBlank, { blank: BLANK })}
        <button type="button" class="button" @click=${put}>${strings.fillMask.putBlank}</button>
      </p>`;
    }
    if (answer?.tokens.length === 0) return html`<p class="verdict asks">${strings.fillMask.blankCut}</p>`;
    return marked('verdict filled', fields.text, blanks.slice(0, SHOWN), (_, { i }) => {
      const best = answer?.candidates[i]?.[0];
      return html`<b class="blank">${best ? wordOf(best) : '\u2003'}</b>`;
    });
  },

  details({ answer, fields, strings, look, query, write }) {
    const blanks = blanksOf(fields.text).slice(0, SHOWN);
    return html`<div class="blanks">
      ${blanks.map(({ start, end }, i) => {
        const title = say(strings.fillMask.blankN, { n: i + 1 });
        const token = answer?.tokens[i];
        const put = (word: string) => write({ text: fields.text.slice(0, start) + word + fields.text.slice(end) });
        return html`<section aria-label=${title}>
          <p>
            <strong>${title}</strong>
            <button
              type="button"
              class="plain quiet"
              aria-pressed=${token !== undefined && token === query ? 'true' : 'false'}
              @click=${() => token !== undefined && look(token)}
            >
              ${strings.fillMask.look}
            </button>
          </p>
          ${bars(
            (answer?.candidates[i] ?? []).map((candidate) => ({
              name: wordOf(candidate),
              score: candidate.score,
              choose: () => put(wordOf(candidate)),
            })),
            say(strings.fillMask.candidates, { n: i + 1 }),
            CANDIDATES,
          )}
        </section>`;
      })}
    </div>`;
  },

  hint: (strings, { text }) => (blanksOf(text).length > 0 ? strings.fillMask.hint : ''),
};

export default task;
