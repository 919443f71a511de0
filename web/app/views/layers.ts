import { html } from 'lit';
import { layerRows, litColumns } from '../../src/elements/index.js';
import { heatmap } from '../map.js';
import { headName, layerName, say, unitName, unitsName } from '../phrases.js';
import type { View } from '../registry.js';
import { entryName, litEntries, queryName } from '../units.js';

// Layers × tokens of one row: what becomes of it on the way up.
const view: View = {
  id: 'layers',
  order: 35,
  place: 'below',
  title: (strings, state) => say(strings.mapLayers, { units: unitsName(strings, state) }),

  render(context) {
    const { strings, state, reading, query, look } = context;
    const { maps, units } = reading;
    const { head, reduce, direction } = state;
    const rows = layerRows(maps, head, units.groups[query]!, units.groups, { reduce, direction });
    const sentence = say(strings.mapLayersSentence[direction], {
      query: queryName(reading, query),
      unit: unitName(strings, state),
      head: headName(strings, head),
    });
    return html`<section class="map">
      <p class="sentence">${sentence}</p>
      ${heatmap(context, {
        values: litColumns(rows, units.lit),
        rows: Array.from({ length: maps.layers }, (_, layer) => layerName(strings, layer)),
        columns: litEntries(units).map((entry) => entryName(reading, entry)),
        rowTitle: strings.layer,
        columnTitle: unitName(strings, state),
        max: null,
        format: 'percent',
        selected: state.layer === 'all' ? null : (state.layer as number),
        caption: sentence,
        choose: ({ row }) => look({ layer: row }),
      })}
    </section>`;
  },
};

export default view;
