import { html, nothing } from 'lit';
import { headName, layerName, say } from '../phrases.js';
import type { View } from '../registry.js';
import { saveButtons } from '../save.js';
import { languageOf, queryName } from '../units.js';
import type { Choice, QueryEvent, StepEvent } from '../../src/elements/index.js';

/** One step along a menu of 'all' and each from 0, as far as it goes. */
const step = (choice: Choice, by: number, count: number): Choice => {
  const at = (choice === 'all' ? -1 : choice) + by;
  return at < 0 ? 'all' : Math.min(at, count - 1);
};

const view: View = {
  id: 'text',
  order: 10,
  place: 'main',
  title: (strings) => strings.yourText,

  render(context) {
    const { about, strings, state, reading, shown, light, set } = context;
    const { units, text, pair, attention } = reading;
    const onQuery = (event: QueryEvent) => set({ query: units.groups[event.detail.index ?? -1]?.[0] ?? 'default' });
    const onStep = ({ detail: { axis, by } }: StepEvent) =>
      axis === 'layer'
        ? set({ layer: step(state.layer as Choice, by, reading.maps.layers) })
        : set({ head: step(state.head, by, reading.maps.heads) });
    const perHead = state.scale === 'heads';
    const caption = say(perHead ? strings.captionHeads : strings.caption, {
      query: queryName(reading, context.query),
      layer: layerName(strings, shown.layer as Choice),
      head: headName(strings, shown.head),
    });
    const cutOf = (second: boolean) => attention.truncated.find(({ inPair }) => inPair === second)?.start ?? null;
    return html`<section class="lit" aria-label=${strings.yourText}>
      <headlight-text
        class=${context.stale ? 'stale' : ''}
        lang=${languageOf(text) || nothing}
        .text=${text}
        .textPair=${pair}
        .tokens=${units.entries}
        .weights=${light.weights}
        .shares=${light.shares}
        .max=${light.full}
        .query=${context.query}
        .pieces=${true}
        .format=${perHead ? 'number' : 'percent'}
        .cut=${cutOf(false)}
        .cutPair=${cutOf(true)}
        .lines=${state.lines}
        .caption=${caption}
        .about=${about}
        .strings=${strings.text}
        @headlight-query=${onQuery}
        @headlight-step=${onStep}
        >${saveButtons(strings, 'headlight-text')}</headlight-text
      >
    </section>`;
  },
};

export default view;
