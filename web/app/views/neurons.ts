import { html } from 'lit';
import { asked } from '../asked.js';
import { heatmap } from '../map.js';
import { formatWeight, headsOf, neurons } from '../../src/elements/index.js';
import { menu } from '../menu.js';
import { headName, layerName, percent, phrase, say } from '../phrases.js';
import type { Context, View } from '../registry.js';
import { entryName, inputOf, queryName } from '../units.js';
import type { ForwardResult } from '../../src/types.js';

const shows = ['product', 'key'] as const;

// Why a head looks where it looks: the query of one token against the keys of all, dimension by dimension.
const view: View = {
  id: 'neurons',
  order: 55,
  place: 'below',
  title: (strings) => strings.mapNeurons,

  render(context) {
    const { ask, strings, state, reading } = context;
    const layer = state.layer === 'all' ? Math.max(0, reading.maps.layers - 2) : (state.layer as number);
    const there = headsOf(reading.maps, layer);
    const head = there.find((one) => one === state.head) ?? there[0]!;
    const extra = ask(`neurons ${layer} ${head}`, (model, hooks) =>
      model.forward(inputOf(reading), {
        ...hooks,
        queriesKeysValues: true,
        logits: false,
        truncation: 'longest_first',
        specialTokensInText: reading.task.specialTokensInText ?? 'text',
        maxLength: reading.attention.tokens.length,
        layers: [layer],
        heads: [head],
      }),
    );
    return html`<section class="map">
      ${sentence(context, layer, head)}
      ${asked(strings, extra, (result) => renderMap(context, layer, head, result))}
    </section>`;
  },
};

const shownOf = ({ state }: Context) => shows.find((name) => name === state.neurons) ?? 'product';

function sentence(context: Context, layer: number, head: number) {
  const { strings, reading, query, set } = context;
  const shown = menu({
    label: strings.shows,
    value: shownOf(context),
    options: shows.map((value) => ({ value, name: strings.neuronsShow[value] })),
    choose: (neurons) => set({ neurons }),
  });
  const parts = {
    query: queryName(reading, query),
    layer: layerName(strings, layer),
    head: headName(strings, head),
  };
  return html`<p class="sentence">${phrase(strings.mapNeuronsSentence, { ...parts, shown })}</p>
    <p class="hint">${strings.neuronsHint}</p>`;
}

function renderMap(context: Context, layer: number, head: number, result: ForwardResult) {
  const { strings, reading, query, look } = context;
  const { maps, units, attention } = reading;
  const token = units.groups[query]![0]!;
  const { size, keys, products, scores, query: own } = neurons(result.queries![0]!, result.keys![0]!, 0, token);
  const product = shownOf(context) === 'product';
  const weight = (key: number) => maps.data[((layer * maps.heads + head) * maps.size + token) * maps.size + key]!;
  const names = attention.tokens.map((entry, i) => {
    const score = product ? `${formatWeight(scores[i]!, 'number')} → ` : '';
    return `${entryName(reading, entry)} ${score}${percent(weight(i))}`;
  });
  const caption = say(strings.mapNeuronsSentence, {
    query: queryName(reading, query),
    layer: layerName(strings, layer),
    head: headName(strings, head),
    shown: strings.neuronsShow[product ? 'product' : 'key'],
  });
  // Above the keys stands what they are multiplied with.
  const above = product ? 0 : 1;
  return heatmap(context, {
    values: product ? products : new Float32Array([...own, ...keys]),
    rows: product ? names : [say(strings.neuronsQuery, { query: queryName(reading, query) }), ...names],
    columns: Array.from({ length: size }, (_, i) => String(i + 1)),
    rowTitle: strings.lookedAt,
    columnTitle: strings.dimension,
    max: null,
    format: 'number',
    selected: token + above,
    caption,
    kind: 'neurons',
    choose: ({ row }) => {
      if (row >= above) look({ query: row - above });
    },
  });
}

export default view;
