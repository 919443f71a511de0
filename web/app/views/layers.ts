import { html } from 'lit';
import { layerRows, litColumns, type CellChooseEvent } from '../../src/elements/index.js';
import { headName, layerName, say, unitName, unitsName } from '../phrases.js';
import type { View } from '../registry.js';
import { saveMenu } from '../save.js';
import { entryName, litEntries, queryName } from '../units.js';

// Layers × tokens of one row: what becomes of it on the way up.
const view: View = {
  id: 'layers',
  order: 35,
  place: 'below',
  title: (strings, state) => say(strings.mapLayers, { units: unitsName(strings, state) }),

  render({ about, strings, state, reading, query, set }) {
    const { maps, units } = reading;
    const rows = layerRows(maps, state.head, units.groups[query]!, units.groups);
    const sentence = say(strings.mapLayersSentence, {
      query: queryName(reading, query),
      unit: unitName(strings, state),
      head: headName(strings, state.head),
    });
    return html`<section class="map">
      <p class="sentence">${sentence}</p>
      <headlight-heatmap
        .values=${litColumns(rows, units.lit)}
        .rows=${Array.from({ length: maps.layers }, (_, layer) => layerName(strings, layer))}
        .columns=${litEntries(units).map((entry) => entryName(reading, entry))}
        .rowTitle=${strings.layer}
        .columnTitle=${unitName(strings, state)}
        .max=${null}
        .format=${'percent'}
        .selected=${state.layer === 'all' ? null : (state.layer as number)}
        .caption=${sentence}
        .about=${about}
        .strings=${strings.heatmap}
        @headlight-choose-cell=${(event: CellChooseEvent) => set({ layer: event.detail.row })}
        >${saveMenu(strings, 'headlight-heatmap')}</headlight-heatmap
      >
    </section>`;
  },
};

export default view;
