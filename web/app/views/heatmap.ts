import { html } from 'lit';
import {
  headRows,
  litColumns,
  minmaxColumns,
  type CellChooseEvent,
  type Choice,
} from '../../src/elements/index.js';
import { menu } from '../menu.js';
import { headName, layerName, phrase, say, scaleName, scales, unitName, unitsName } from '../phrases.js';
import type { View } from '../registry.js';
import { saveMenu } from '../save.js';
import { entryName, litEntries, queryName } from '../units.js';

// Heads × tokens of one row: the picture of "Seeing BERT through attention".
const view: View = {
  id: 'heatmap',
  order: 30,
  place: 'below',
  title: (strings, state) => say(strings.mapHeads, { units: unitsName(strings, state) }),

  render({ about, strings, state, reading, query, set }) {
    const { maps, units } = reading;
    const layer = state.layer as Choice;
    const rows = litColumns(headRows(maps, layer, units.groups[query]!, units.groups), units.lit);
    const entries = litEntries(units);
    const perHead = state.mapScale === 'heads';
    const values = perHead ? minmaxColumns(rows, entries.length) : rows;
    const parts = {
      query: queryName(reading, query),
      layer: layerName(strings, layer),
      unit: unitName(strings, state),
    };
    const scale = menu({
      label: strings.scale,
      value: state.mapScale,
      options: scales.map((value) => ({ value, name: scaleName(strings, value) })),
      choose: (mapScale) => set({ mapScale }),
    });
    return html`<section class="map">
      <p class="sentence">${phrase(strings.mapHeadsSentence, { ...parts, scale })}</p>
      <headlight-heatmap
        .values=${values}
        .rows=${Array.from({ length: maps.heads }, (_, h) => headName(strings, h))}
        .columns=${entries.map((entry) => entryName(reading, entry))}
        .rowTitle=${strings.headRow}
        .columnTitle=${unitName(strings, state)}
        .max=${state.mapScale === 'brightest' ? null : 1}
        .format=${perHead ? 'number' : 'percent'}
        .selected=${state.head === 'all' ? null : state.head}
        .caption=${say(strings.mapHeadsSentence, { ...parts, scale: scaleName(strings, state.mapScale) })}
        .about=${about}
        .strings=${strings.heatmap}
        @headlight-choose-cell=${(event: CellChooseEvent) => set({ head: event.detail.row })}
        >${saveMenu(strings, 'headlight-heatmap')}</headlight-heatmap
      >
    </section>`;
  },
};

export default view;
