// What lights the text: the weights of its words or pieces, and how they are called.

import { light, type Choice, type NumberFormat } from '../src/elements/index.js';
import { placesName, say } from './phrases.js';
import type { Context } from './registry.js';
import type { State } from './state.js';
import { queryName } from './units.js';

export interface Lit {
  light: {
    /** One an entry of the units. */
    weights: Float32Array;
    /** Of the attention, what each entry took, or paid; null where it is none. */
    shares: Float32Array | null;
    /** The weight that is full light. */
    full: number;
  };
  format: NumberFormat;
  /** Weights may be negative. */
  signed: boolean;
  caption: string;
  /** Another one for other weights of the same reading. */
  key: string;
}

/** Layer and head, or heads picked one by one. */
export type Places = Pick<State, 'layer' | 'head' | 'mix'>;

/** What one token pays the others, or gets from them, in chosen layers and heads, as the state scales it. */
export function attentionLit(
  { reading, state, strings, query }: Pick<Context, 'reading' | 'state' | 'strings' | 'query'>,
  places: Places,
): Lit {
  const { maps, units } = reading;
  const { scale, reduce, direction } = state;
  const { layer, head, mix } = places;
  const who = { query: units.groups[query]!, groups: units.groups, lit: units.lit };
  return {
    light: light(maps, { ...who, layer: layer as Choice, head, mix, scale, reduce, direction }),
    format: scale === 'heads' ? 'number' : 'percent',
    signed: false,
    caption: [
      say(strings.caption[direction], { query: queryName(reading, query) }),
      placesName(strings, places, reduce),
      ...(scale === 'heads' ? [strings.captionHeads[direction]] : []),
    ].join(' · '),
    key: [layer, head, JSON.stringify(mix), query, scale, reduce, direction, state.pieces].join(' '),
  };
}
