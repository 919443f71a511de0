import { html } from 'lit';
import { headRows, litColumns, minmaxColumns, placeRows, type Choice } from '../../src/elements/index.js';
import { heatmap } from '../map.js';
import { menu } from '../menu.js';
import { headNameIn, layerName, phrase, placeName, placesName, say, scaleName, scales, unitName, unitsName } from '../phrases.js';
import type { View } from '../registry.js';
import { entryName, litEntries, queryName } from '../units.js';

// Heads × tokens of one row: the picture of "Seeing BERT through attention". Heads that were picked have a row each.
const view: View = {
  id: 'heatmap',
  order: 30,
  place: 'below',
  title: (strings, state) => say(strings.mapHeads, { units: unitsName(strings, state) }),

  render(context) {
    const { strings, state, reading, query, set, look } = context;
    const { maps, units } = reading;
    const { mix, reduce, direction } = state;
    const layer = state.layer as Choice;
    const looks = units.groups[query]!;
    const ofAll =
      mix.length > 0
        ? placeRows(maps, mix, looks, units.groups, direction)
        : headRows(maps, layer, looks, units.groups, { reduce, direction });
    const rows = litColumns(ofAll, units.lit);
    const entries = litEntries(units);
    const perHead = state.mapScale === 'heads';
    const parts = {
      query: queryName(reading, query),
      layer: mix.length > 0 ? placesName(strings, state, 'mean') : layerName(strings, layer),
      unit: unitName(strings, state),
    };
    const scale = menu({
      label: strings.scale,
      value: state.mapScale,
      options: scales.map((value) => ({ value, name: scaleName(strings, value) })),
      choose: (mapScale) => set({ mapScale }),
    });
    const sentence = strings.mapHeadsSentence[direction];
    return html`<section class="map">
      <p class="sentence">${phrase(sentence, { ...parts, scale })}</p>
      ${heatmap(context, {
        values: perHead ? minmaxColumns(rows, entries.length) : rows,
        rows:
          mix.length > 0
            ? mix.map((place) => placeName(strings, place))
            : Array.from({ length: maps.heads }, (_, h) => headNameIn(strings, maps, layer, h)),
        columns: entries.map((entry) => entryName(reading, entry)),
        rowTitle: strings.headRow,
        columnTitle: unitName(strings, state),
        max: state.mapScale === 'brightest' ? null : 1,
        format: perHead ? 'number' : 'percent',
        selected: state.head === 'all' || mix.length > 0 ? null : state.head,
        caption: say(sentence, { ...parts, scale: scaleName(strings, state.mapScale) }),
        choose: ({ row }) => look(mix.length > 0 ? mix[row]! : { head: row }),
      })}
    </section>`;
  },
};

export default view;
