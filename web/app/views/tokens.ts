import { html } from 'lit';
import { groupMap, meanMap, type CellChooseEvent, type Choice } from '../../src/elements/index.js';
import { headName, layerName, say, unitName } from '../phrases.js';
import type { View } from '../registry.js';
import { saveMenu } from '../save.js';
import { entryName, litEntries } from '../units.js';

// Tokens × tokens of one head: who looks at whom.
const view: View = {
  id: 'tokens',
  order: 40,
  place: 'below',
  title: (strings) => strings.mapTokens,

  render({ about, strings, state, reading, query, set }) {
    const { maps, units } = reading;
    const layer = state.layer as Choice;
    const lit = units.groups.filter((_, i) => units.lit[i]);
    const values = groupMap(meanMap(maps, layer, state.head), maps.size, lit);
    const names = litEntries(units).map((entry) => entryName(reading, entry));
    const sentence = say(strings.mapTokensSentence, {
      unit: unitName(strings, state),
      layer: layerName(strings, layer),
      head: headName(strings, state.head),
    });
    const selected = units.lit.slice(0, query).filter(Boolean).length;
    return html`<section class="map">
      <p class="sentence">${sentence}</p>
      <headlight-heatmap
        .values=${values}
        .rows=${names}
        .columns=${names}
        .rowTitle=${strings.looks}
        .columnTitle=${strings.lookedAt}
        .max=${null}
        .format=${'percent'}
        .selected=${units.lit[query] ? selected : null}
        .caption=${sentence}
        .about=${about}
        .strings=${strings.heatmap}
        @headlight-choose-cell=${(event: CellChooseEvent) => set({ query: lit[event.detail.row]![0]! })}
        >${saveMenu(strings, 'headlight-heatmap')}</headlight-heatmap
      >
    </section>`;
  },
};

export default view;
