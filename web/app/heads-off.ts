// Heads that are switched off: their places, the mask that the model is given, and a model that always has it.

import { isPruned, placesOf, type AttentionMaps, type HeadPlace } from '../src/elements/index.js';
import type { Model } from '../src/types.js';

/** '5.3,6.1': counted from 1, as the page does. */
export const writeHeads = (places: readonly HeadPlace[]): string =>
  places.map(({ layer, head }) => `${layer + 1}.${head + 1}`).join(',');

/** What is no such list is left out. */
export const readHeads = (text: string): HeadPlace[] =>
  text.split(',').flatMap((place) => {
    const [, layer, head] = /^([1-9]\d{0,2})\.([1-9]\d{0,2})$/.exec(place) ?? [];
    return layer && head ? [{ layer: Number(layer) - 1, head: Number(head) - 1 }] : [];
  });

const same = (a: HeadPlace, b: HeadPlace): boolean => a.layer === b.layer && a.head === b.head;

type Size = Omit<AttentionMaps, 'data' | 'size'>;

/** Those that maps of this size have, each once. */
export const placesWithin = (places: readonly HeadPlace[], maps: Size): HeadPlace[] =>
  places.filter(
    (place, i) =>
      place.layer < maps.layers &&
      place.head < maps.heads &&
      !isPruned(maps, place) &&
      places.findIndex((other) => same(other, place)) === i,
  );

export const isOff = (off: readonly HeadPlace[], place: HeadPlace): boolean => off.some((one) => same(one, place));

export const toggled = (off: readonly HeadPlace[], place: HeadPlace): HeadPlace[] =>
  isOff(off, place) ? off.filter((one) => !same(one, place)) : [...off, place];

/** A share of the heads that are there, those of the lowest importance [layers, heads]; the signs do not count. */
export function leastImportant(importance: Float32Array, maps: Size, share: number): HeadPlace[] {
  const there = placesOf(maps, 'all', 'all');
  const valueOf = ({ layer, head }: HeadPlace) => Math.abs(importance[layer * maps.heads + head]!);
  return there.sort((a, b) => valueOf(a) - valueOf(b)).slice(0, Math.round(share * there.length));
}

/** Where a call's options stand among its arguments. */
const optionsAt: Partial<Record<keyof Model, number>> = {
  forward: 1,
  classify: 1,
  attention: 1,
  entities: 1,
  fillMask: 1,
  answer: 1,
  embed: 1,
  nextSentence: 1,
  explain: 1,
  zeroShot: 2,
  rank: 2,
};

/** The model without these heads, whatever it is asked. Places that it does not have are passed over. */
export function withoutHeads(model: Model, off: readonly HeadPlace[]): Model {
  if (off.length === 0) return model;
  const { numHiddenLayers, numAttentionHeads } = model.info;
  const headMask = Array.from({ length: numHiddenLayers }, () => new Array<number>(numAttentionHeads).fill(1));
  for (const { layer, head } of off) if (headMask[layer]?.[head] !== undefined) headMask[layer][head] = 0;
  return new Proxy(model, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      const at = optionsAt[name as keyof Model];
      if (typeof value !== 'function') return value;
      if (at === undefined) return value.bind(target) as unknown;
      return (...args: unknown[]) => {
        args[at] = { ...(args[at] as object | undefined), headMask };
        return value.apply(target, args) as unknown;
      };
    },
  });
}
