// What lights the text: the weights of its words or pieces, and how they are called.

import { light, type Choice, type NumberFormat } from '../src/elements/index.js';
import { headName, layerName, say } from './phrases.js';
import type { Context } from './registry.js';
import type { State } from './state.js';
import { queryName } from './units.js';

export interface Lit {
  light: {
    /** One an entry of the units. */
    weights: Float32Array;
    /** Of the attention, what each entry took; null where it is none. */
    shares: Float32Array | null;
    /** The weight that is full light. */
    full: number;
  };
  format: NumberFormat;
  caption: string;
  /** Another one for other weights of the same reading. */
  key: string;
}

/** What one token pays the others in a layer and head, as the state scales it. */
export function attentionLit(
  { reading, state, strings, query }: Pick<Context, 'reading' | 'state' | 'strings' | 'query'>,
  { layer, head }: Pick<State, 'layer' | 'head'>,
): Lit {
  const { maps, units } = reading;
  const { scale } = state;
  const options = { layer: layer as Choice, head, query: units.groups[query]!, scale };
  return {
    light: light(maps, { ...options, groups: units.groups, lit: units.lit }),
    format: scale === 'heads' ? 'number' : 'percent',
    caption: say(scale === 'heads' ? strings.captionHeads : strings.caption, {
      query: queryName(reading, query),
      layer: layerName(strings, layer as Choice),
      head: headName(strings, head),
    }),
    key: [layer, head, query, scale, state.pieces].join(' '),
  };
}
