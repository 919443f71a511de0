import { html } from 'lit';
import { headMeasure, headMeasureNames } from '../../src/elements/index.js';
import { heatmap } from '../map.js';
import { menu } from '../menu.js';
import { headName, layerName, phrase, say } from '../phrases.js';
import type { View } from '../registry.js';

// Layers × heads by what the heads do.
const view: View = {
  id: 'measures',
  order: 60,
  place: 'below',
  title: (strings) => strings.mapMeasures,

  render(context) {
    const { strings, state, reading, set, look } = context;
    const { maps } = reading;
    const measure = headMeasureNames.find((name) => name === state.measure) ?? headMeasureNames[0];
    const inTokens = measure === 'distance';
    const choice = menu({
      label: strings.measure,
      value: measure,
      options: headMeasureNames.map((value) => ({ value, name: strings.measures[value] })),
      choose: (value) => set({ measure: value }),
    });
    const share = measure !== 'breadth' && !inTokens;
    return html`<section class="map">
      <p class="sentence">${phrase(strings.mapMeasuresSentence, { measure: choice })}</p>
      ${heatmap(context, {
        values: headMeasure(maps, reading.attention.tokens, measure),
        rows: Array.from({ length: maps.layers }, (_, layer) => layerName(strings, layer)),
        columns: Array.from({ length: maps.heads }, (_, head) => headName(strings, head)),
        rowTitle: strings.layer,
        columnTitle: strings.head,
        max: inTokens ? null : 1,
        format: share ? 'percent' : 'number',
        selected: state.layer === 'all' ? null : (state.layer as number),
        caption: say(strings.mapMeasuresSentence, { measure: strings.measures[measure] }),
        choose: ({ row, column }) => look({ layer: row, head: column }),
      })}
    </section>`;
  },
};

export default view;
