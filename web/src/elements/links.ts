// Which lines the head view draws between two columns of tokens. Pure functions on Float32Arrays.

import { groupMap, meanMap, type AttentionMaps, type Choice } from './derive.js';

/** One line: from the group of tokens that looks to the group that is looked at. */
export interface Link {
  head: number;
  query: number;
  key: number;
  /** 0 to 1 of the query's attention. */
  weight: number;
}

/** More lines than these would be one grey area. */
export const MOST_LINKS = 2000;
/** Weights below it are not seen. */
const LEAST_WEIGHT = 0.01;
/** Weights are told apart this finely when the weaker ones are left out. */
const BINS = 1000;

/** A [groups, groups] map for each head of a layer; layer 'all': the mean over layers. */
export function headMaps(
  maps: AttentionMaps,
  layer: Choice,
  groups: readonly (readonly number[])[],
): Float32Array[] {
  return Array.from({ length: maps.heads }, (_, head) =>
    groupMap(meanMap(maps, layer, head), maps.size, groups),
  );
}

/**
 * The strongest lines of the heads that are shown from `queries` to `keys`, at most `most` of them: all of about a weight
 * or none. In the order of head, query and key.
 *
 * @param size groups in a row of the maps
 */
export function strongestLinks(
  perHead: readonly Float32Array[],
  shown: readonly number[],
  size: number,
  queries: readonly number[],
  keys: readonly number[],
  most = MOST_LINKS,
): Link[] {
  const counts = new Uint32Array(BINS + 1);
  const bin = (weight: number) => Math.min(BINS, Math.floor(weight * BINS));
  const visit = (call: (head: number, query: number, key: number, weight: number) => void) => {
    for (const head of shown) {
      const map = perHead[head]!;
      for (const query of queries) {
        for (const key of keys) {
          const weight = map[query * size + key]!;
          if (weight >= LEAST_WEIGHT) call(head, query, key, weight);
        }
      }
    }
  };
  visit((_head, _query, _key, weight) => counts[bin(weight)]!++);
  // The bins that fit as a whole.
  let least = BINS + 1;
  for (let kept = 0; least > 0 && kept + counts[least - 1]! <= most; ) kept += counts[--least]!;
  const links: Link[] = [];
  visit((head, query, key, weight) => {
    if (bin(weight) >= least) links.push({ head, query, key, weight });
  });
  return links;
}

/** What a group pays the others (side 'from') or gets from them ('to'), as the mean over heads: [size]. */
export function meanLinks(
  perHead: readonly Float32Array[],
  shown: readonly number[],
  size: number,
  group: number,
  side: 'from' | 'to',
): Float32Array {
  const mean = new Float32Array(size);
  for (const head of shown) {
    for (let other = 0; other < size; other++) {
      mean[other]! += perHead[head]![side === 'from' ? group * size + other : other * size + group]!;
    }
  }
  return mean.map((sum) => sum / Math.max(1, shown.length));
}
