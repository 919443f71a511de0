// What each head does, in numbers from its attention alone. Pure functions on Float32Arrays.

import type { AttendedToken } from '../types.js';
import { checkChoices } from './check.js';
import { isPruned, type AttentionMaps } from './derive.js';
import { isSpecial } from './segments.js';

/**
 * Means over the tokens of the text, special ones not among them:
 * - 'previous', 'next', 'same': the share paid to the token before, to the one after, to itself
 * - 'first': the share paid to the first token, [CLS] or <s>; 'separators': to the other special tokens
 * - 'breadth': the entropy of what a token pays, 0 (one token takes all) to 1 (all take the same)
 * - 'distance': how many tokens away what it pays goes, special tokens left out
 *
 * Shares as Clark et al. 2019, "What Does BERT Look At?", section 3.
 */
export const headMeasureNames = [
  'previous',
  'next',
  'same',
  'first',
  'separators',
  'breadth',
  'distance',
] as const;
export type HeadMeasure = (typeof headMeasureNames)[number];

/** A measure of all heads, row-major [layers, heads]; NaN for pruned ones. Throws a RangeError for what is no measure. */
export function headMeasure(
  maps: AttentionMaps,
  tokens: readonly AttendedToken[],
  measure: HeadMeasure,
): Float32Array {
  checkChoices({ measure }, null, { measure: headMeasureNames });
  const { data, size } = maps;
  const special = tokens.map(isSpecial);
  const indices = tokens.map((_, i) => i);
  const words = indices.filter((i) => !special[i]);
  const separators = indices.filter((i) => i > 0 && special[i]);
  const of = measureOf(measure, { size, words, separators, startsSpecial: special[0] === true });
  return Float32Array.from({ length: maps.layers * maps.heads }, (_, head) => {
    if (isPruned(maps, { layer: Math.floor(head / maps.heads), head: head % maps.heads })) return NaN;
    let sum = 0;
    for (const query of words) {
      const row = (head * size + query) * size;
      sum += of(data.subarray(row, row + size), query);
    }
    return words.length > 0 ? sum / words.length : 0;
  });
}

interface Keys {
  size: number;
  words: readonly number[];
  separators: readonly number[];
  startsSpecial: boolean;
}

/** A token's part of a measure, from what it pays each of all tokens. */
function measureOf(
  measure: HeadMeasure,
  { size, words, separators, startsSpecial }: Keys,
): (row: Float32Array, query: number) => number {
  switch (measure) {
    case 'previous':
      return (row, query) => row[query - 1] ?? 0;
    case 'next':
      return (row, query) => row[query + 1] ?? 0;
    case 'same':
      return (row, query) => row[query]!;
    case 'first':
      return (row) => (startsSpecial ? row[0]! : 0);
    case 'separators':
      return (row) => separators.reduce((sum, key) => sum + row[key]!, 0);
    case 'breadth':
      return (row) => {
        let entropy = 0;
        for (const weight of row) if (weight > 0) entropy -= weight * Math.log(weight);
        return size > 1 ? entropy / Math.log(size) : 0;
      };
    case 'distance':
      return (row, query) => {
        let sum = 0;
        let far = 0;
        for (const key of words) {
          sum += row[key]!;
          far += row[key]! * Math.abs(key - query);
        }
        return sum > 0 ? far / sum : 0;
      };
  }
}
