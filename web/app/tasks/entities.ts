import { html, type TemplateResult } from 'lit';
import { marked } from '../marked.js';
import { percent, say } from '../phrases.js';
import type { AnswerContext, Task } from '../registry.js';
import { spansRow } from '../table/task.js';
import { tokenAt } from '../units.js';
import { foundOne, noVerdict } from '../verdict.js';
import { wholeAttention } from '../whole-attention.js';
import type { Entity, ModelInfo } from '../../src/types.js';

interface Found {
  entities: readonly Entity[];
  /** Names of all kinds that the model tells apart. */
  kinds: readonly string[];
}

/** So many kinds have a colour and a line of their own. */
const LOOKS = 6;

/** The model's labels without B-, I- and the like, in its order; O, which is none, left out. */
const kindsOf = ({ labels }: ModelInfo): string[] => [
  ...new Set(labels.filter((label) => label !== 'O').map((label) => label.replace(/^[BIESLU]-/, ''))),
];

const task: Task<Found> = {
  id: 'entities',
  order: 10,
  name: (strings) => strings.entities.name,
  fits: ({ tasks }) => tasks.includes('entities'),
  fields: () => [{ name: 'text', label: (strings) => strings.yourText }],
  examples: [
    {
      name: 'Ada Lovelace',
      fields: {
        text: 'Ada Lovelace met Charles Babbage in London, and wrote to Michael Faraday at the Royal Institution.',
      },
    },
  ],

  async run(model, { text }, signal) {
    const attention = await wholeAttention(model, text, signal);
    const entities = await model.entities(text, {
      aggregation: 'simple',
      specialTokensInText: 'text',
      signal,
    });
    const look = entities[0] ? tokenAt(attention, entities[0].start) : null;
    return { text, pair: null, attention, answer: { entities, kinds: kindsOf(model.info) }, look: look ?? 0 };
  },

  verdict({ answer, strings }) {
    if (!answer) return noVerdict;
    const counts = new Map<string, number>();
    for (const { entity } of answer.entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    return html`<div class="verdict">
      ${
        counts.size === 0
          ? html`<strong>${strings.entities.noneFound}</strong>`
          : [...counts].map(([kind, count]) => foundOne(kind, String(count)))
      }
    </div>`;
  },

  details(context) {
    const { answer, fields, strings } = context;
    const entities = answer?.entities ?? [];
    const kinds = answer?.kinds ?? [];
    return html`${marked('marked', fields.text, entities, (text, entity) => entityMark(text, entity, kinds, context))}
      <details class="listed">
        <summary>${strings.entities.list}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">${strings.entities.entity}</th>
              <th scope="col">${strings.entities.kind}</th>
              <th scope="col" class="number">${strings.score}</th>
            </tr>
          </thead>
          <tbody>
            ${entities.map(
              ({ start, end, entity, score }) =>
                html`<tr>
                  <td><bdi>${fields.text.slice(start, end)}</bdi></td>
                  <td><bdi>${entity}</bdi></td>
                  <td class="number">${percent(score)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>`;
  },

  hint: (strings) => strings.entities.hint,

  table: {
    labels: () => [],
    async read(model, texts, signal) {
      const results = await model.entities(texts, { aggregation: 'simple', specialTokensInText: 'text', signal });
      return results.map(spansRow);
    },
  },
};

/** An entity: what it is stands beneath it, apart from the text, so that copying gives the text alone. */
function entityMark(
  text: string,
  { start, end, entity, score }: Entity,
  kinds: readonly string[],
  context: AnswerContext<Found>,
): TemplateResult {
  const { strings, query, look } = context;
  const token = context.tokenAt(start);
  // One of several tokens may look; any of them means this entity does.
  const looks = token !== null && query !== null && query >= token && query <= (context.tokenAt(end - 1) ?? token);
  const choose = () => token !== null && look(token);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  };
  return html`<ruby
    class="entity"
    data-look=${Math.max(0, kinds.indexOf(entity)) % LOOKS}
    role="button"
    tabindex="0"
    aria-pressed=${looks ? 'true' : 'false'}
    title=${say(strings.entities.one, { score: percent(score) })}
    @click=${choose}
    @keydown=${onKey}
    ><span class="span">${text}</span><rt>${entity}</rt></ruby
  >`;
}

export default task;
