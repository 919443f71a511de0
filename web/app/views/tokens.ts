import { html } from 'lit';
import { mixedMap, placesOf, type Choice } from '../../src/elements/index.js';
import { heatmap } from '../map.js';
import { placesName, say, unitName } from '../phrases.js';
import type { View } from '../registry.js';
import { entryName, litEntries } from '../units.js';

// Tokens × tokens of one head, or of several combined: who looks at whom.
const view: View = {
  id: 'tokens',
  order: 40,
  place: 'below',
  title: (strings) => strings.mapTokens,

  render(context) {
    const { strings, state, reading, query, look } = context;
    const { maps, units } = reading;
    const { mix, reduce } = state;
    const places = mix.length > 0 ? mix : placesOf(maps, state.layer as Choice, state.head);
    const lit = units.groups.filter((_, i) => units.lit[i]);
    const names = litEntries(units).map((entry) => entryName(reading, entry));
    const sentence = say(strings.mapTokensSentence, {
      unit: unitName(strings, state),
      places: placesName(strings, state, reduce, strings.comma),
    });
    const selected = units.lit.slice(0, query).filter(Boolean).length;
    return html`<section class="map">
      <p class="sentence">${sentence}</p>
      ${heatmap(context, {
        values: mixedMap(maps, places, lit, reduce),
        rows: names,
        columns: names,
        rowTitle: strings.looks,
        columnTitle: strings.lookedAt,
        max: null,
        format: 'percent',
        selected: units.lit[query] ? selected : null,
        caption: sentence,
        choose: ({ row }) => look({ query: lit[row]![0]! }),
      })}
    </section>`;
  },
};

export default view;
