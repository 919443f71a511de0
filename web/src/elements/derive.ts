// What the views show, derived from attention that is already in memory: no call of the engine a hover.
// Pure functions on Float32Arrays.

import { checkChoices } from './check.js';
import type { AttendedToken, AttentionResult } from '../types.js';

export { wordGroups } from '../words.js';

/** Attention of every head, row-major [layers, heads, size, size]: row = query, column = key, 0 to 1. */
export interface AttentionMaps {
  data: Float32Array;
  layers: number;
  heads: number;
  size: number;
  /** By layer: the heads that were pruned (`model.info.prunedHeads`), whose maps are 0; left out or empty: none. */
  prunedHeads?: readonly (readonly number[])[];
}

/** One by index from 0, or all, combined. */
export type Choice = number | 'all';

/** A head by its layer, both from 0. */
export interface HeadPlace {
  layer: number;
  head: number;
}

/** A head that is combined with others. */
export interface MixedHead extends HeadPlace {
  /** Its part of the mean, from 0, as a multiple of the others'; default 1. A maximum has no parts. */
  weight?: number;
}

/** How heads and layers are combined: for each pair of tokens the mean, or the largest. */
export type Reduction = 'mean' | 'max';

/** Of a token, what it pays the others (its row), or what it gets from them (its column). */
export type Direction = 'from' | 'to';

/**
 * How a share of attention becomes light: as it is ('none'), against the brightest token ('brightest'), or each
 * token over the heads ('heads', scikit-learn's MinMaxScaler, as `attention({ scale: 'minmax-heads' })`).
 */
export type LightScale = 'none' | 'brightest' | 'heads';

/**
 * Of `model.attention(text, { query: 'all', specialTokens: true })`; of a pruned model with its `info.prunedHeads`, so
 * that no view takes a head that is gone for one that looks nowhere. Throws a RangeError for another shape.
 */
export function mapsOf(result: AttentionResult, prunedHeads: readonly (readonly number[])[] = []): AttentionMaps {
  const { data, shape, axes } = result.weights;
  if (axes.join() !== 'layer,head,query,key' || shape[2] !== shape[3]) {
    throw new RangeError(
      `maps need the axes layer, head, query, key of all tokens, not ${axes.join(', ')} [${shape}]`,
    );
  }
  const [layers, heads, size] = shape as [number, number, number, number];
  return { data, layers, heads, size, ...(prunedHeads.length > 0 && { prunedHeads }) };
}

/** Each token by itself. */
export const pieceGroups = (tokens: readonly AttendedToken[]): number[][] => tokens.map((_, i) => [i]);

/** Which layers, or heads, a choice stands for. */
const chosen = (choice: Choice, count: number): number[] =>
  choice === 'all' ? Array.from({ length: count }, (_, i) => i) : [choice];

/** Whether a head was pruned. */
export const isPruned = ({ prunedHeads }: Pick<AttentionMaps, 'prunedHeads'>, { layer, head }: HeadPlace): boolean =>
  prunedHeads?.[layer]?.includes(head) ?? false;

/** All places that a layer and a head stand for, without those of pruned heads. */
export const placesOf = (maps: Omit<AttentionMaps, 'data' | 'size'>, layer: Choice, head: Choice): HeadPlace[] =>
  chosen(layer, maps.layers)
    .flatMap((l) => chosen(head, maps.heads).map((h) => ({ layer: l, head: h })))
    .filter((place) => !isPruned(maps, place));

/** The heads that a layer, or of all layers any, has. */
export const headsOf = (maps: Omit<AttentionMaps, 'data' | 'size'>, layer: Choice): number[] =>
  chosen('all', maps.heads).filter((head) => placesOf(maps, layer, head).length > 0);

/** Mean over chosen layers and heads: [size, size]. One layer and one head: a view of the maps, not a copy. */
export const meanMap = (maps: AttentionMaps, layer: Choice, head: Choice): Float32Array =>
  meanOf(maps, placesOf(maps, layer, head));

/** What each head is of the mean; they add up to 1. */
function partsOf(places: readonly MixedHead[]): number[] {
  const sum = places.reduce((total, { weight = 1 }) => total + weight, 0);
  return places.map(({ weight = 1 }) => (sum > 0 ? weight / sum : 0));
}

function meanOf(maps: AttentionMaps, places: readonly MixedHead[]): Float32Array {
  const area = maps.size * maps.size;
  const starts = places.map(({ layer, head }) => (layer * maps.heads + head) * area);
  if (starts.length === 1) return maps.data.subarray(starts[0]!, starts[0]! + area);
  const mean = new Float32Array(area);
  const parts = partsOf(places);
  starts.forEach((start, p) => {
    const part = parts[p]!;
    for (let i = 0; i < area; i++) mean[i]! += maps.data[start + i]! * part;
  });
  return mean;
}

export interface RowOptions {
  /** Default 'mean'. */
  reduce?: Reduction;
  /** Default 'from'. */
  direction?: Direction;
}

const rowNames = ['reduce', 'direction'] as const satisfies readonly (keyof RowOptions)[];
const lightNames = ['layer', 'head', 'mix', 'query', 'groups', 'lit', 'scale', ...rowNames] as const satisfies readonly (keyof LightOptions)[];
const choices = { reduce: ['mean', 'max'], direction: ['from', 'to'], scale: ['none', 'brightest', 'heads'] };

/**
 * What `query` pays each group of tokens, or gets from it, a row a head of the list: [places, groups]. Mean over the
 * tokens that look, sum over those that are looked at, as `attention({ words: true })`.
 */
export function placeRows(
  { data, heads, size }: AttentionMaps,
  places: readonly HeadPlace[],
  query: readonly number[],
  groups: readonly (readonly number[])[],
  direction: Direction = 'from',
): Float32Array {
  const rows = new Float32Array(places.length * groups.length);
  places.forEach(({ layer, head }, p) => {
    const start = (layer * heads + head) * size * size;
    groups.forEach((group, g) => {
      const [queries, keys] = direction === 'from' ? [query, group] : [group, query];
      let sum = 0;
      for (const q of queries) for (const key of keys) sum += data[start + q * size + key]!;
      rows[p * groups.length + g] = sum / queries.length;
    });
  });
  return rows;
}

/**
 * As `placeRows`, a row a head: [heads, groups]; the chosen layers are combined. NaN: none of them has the head. Throws a
 * RangeError for an option that there is not, and for what is none of its values.
 */
export function headRows(
  maps: AttentionMaps,
  layer: Choice,
  query: readonly number[],
  groups: readonly (readonly number[])[],
  options: RowOptions = {},
): Float32Array {
  checkChoices(options, rowNames, choices);
  const { reduce = 'mean', direction = 'from' } = options;
  const rows = new Float32Array(maps.heads * groups.length).fill(NaN);
  for (let head = 0; head < maps.heads; head++) {
    const places = placesOf(maps, layer, head);
    if (places.length === 0) continue;
    rows.set(reduceRows(placeRows(maps, places, query, groups, direction), groups.length, reduce), head * groups.length);
  }
  return rows;
}

/**
 * As `placeRows`, a row a layer: [layers, groups]; the chosen heads are combined. NaN: the layer has none of them. Throws a
 * RangeError as `headRows`.
 */
export function layerRows(
  maps: AttentionMaps,
  head: Choice,
  query: readonly number[],
  groups: readonly (readonly number[])[],
  options: RowOptions = {},
): Float32Array {
  checkChoices(options, rowNames, choices);
  const { reduce = 'mean', direction = 'from' } = options;
  const rows = new Float32Array(maps.layers * groups.length).fill(NaN);
  for (let layer = 0; layer < maps.layers; layer++) {
    const places = placesOf(maps, layer, head);
    if (places.length === 0) continue;
    rows.set(reduceRows(placeRows(maps, places, query, groups, direction), groups.length, reduce), layer * groups.length);
  }
  return rows;
}

/**
 * Each column of [rows, columns] to 0 … 1 over the rows, as scikit-learn's MinMaxScaler: a column whose range is
 * below ten float32 epsilons counts as constant and only has its minimum taken away. What is NaN stays so and is no
 * part of the range.
 */
export function minmaxColumns(values: Float32Array, columns: number): Float32Array {
  const constant = 10 * 2 ** -23;
  const scaled = new Float32Array(values.length);
  for (let c = 0; c < columns; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = c; i < values.length; i += columns) {
      if (values[i]! < low) low = values[i]!;
      if (values[i]! > high) high = values[i]!;
    }
    const range = high - low < constant ? 1 : high - low;
    for (let i = c; i < values.length; i += columns) scaled[i] = (values[i]! - low) / range;
  }
  return scaled;
}

/** The rows of [rows, columns] that hold numbers. */
function numberRows(values: Float32Array, columns: number): Float32Array {
  const rows = chosen('all', values.length / columns).filter((row) => !Number.isNaN(values[row * columns]));
  const kept = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => kept.set(values.subarray(row * columns, (row + 1) * columns), i * columns));
  return kept;
}

/** Mean of the rows of [rows, columns]. */
export const meanRow = (values: Float32Array, columns: number): Float32Array => reduceRows(values, columns, 'mean');

/** Mean, or largest, of each column of [rows, columns]; of no rows 0. `parts`: what each row is of the mean; default the same. */
export function reduceRows(
  values: Float32Array,
  columns: number,
  reduce: Reduction,
  parts?: readonly number[],
): Float32Array {
  const row = new Float32Array(columns);
  const rows = values.length / columns;
  for (let c = 0; c < columns; c++) {
    let sum = 0;
    let most = -Infinity;
    for (let r = 0; r < rows; r++) {
      const value = values[r * columns + c]!;
      sum += parts ? value * parts[r]! : value / rows;
      most = Math.max(most, value);
    }
    row[c] = reduce === 'mean' || rows === 0 ? sum : most;
  }
  return row;
}

export interface LightOptions extends RowOptions {
  layer: Choice;
  head: Choice;
  /** These heads, combined, in place of `layer` and `head`; default none. */
  mix?: readonly MixedHead[];
  /** Tokens that look: a word's pieces, or one. */
  query: readonly number[];
  /** Tokens that are lit together. */
  groups: readonly (readonly number[])[];
  /** Which groups share the scale; special tokens take most of the light and stand aside. */
  lit: readonly boolean[];
  scale: LightScale;
}

export interface Light {
  /** What is shown of each group: a share, or with the scale 'heads' a value from 0 to 1. */
  weights: Float32Array;
  /** Share of the query's attention each group took, 0 to 1; means of rows add up to 1. Of columns, what it paid. */
  shares: Float32Array;
  /** The weight that is full light. */
  full: number;
}

/** The light of each group of tokens. Throws a RangeError as `headRows`. */
export function light(maps: AttentionMaps, options: LightOptions): Light {
  checkChoices(options, lightNames, choices);
  const { layer, head, mix = [], query, groups, lit, scale, reduce, direction } = options;
  const columns = groups.length;
  const combine = (rows: Float32Array, parts?: readonly number[]) => reduceRows(rows, columns, reduce ?? 'mean', parts);
  const places = mix.length > 0 ? mix : placesOf(maps, layer, head);
  const rows = placeRows(maps, places, query, groups, direction);
  const parts = partsOf(places);
  const shares = combine(rows, parts);
  if (scale === 'heads') {
    const ofHeads = () => minmaxColumns(headRows(maps, layer, query, groups, { reduce, direction }), columns);
    const weights =
      mix.length > 0
        ? combine(minmaxColumns(rows, columns), parts)
        : combine(numberRows(head === 'all' ? ofHeads() : ofHeads().subarray(head * columns, (head + 1) * columns), columns));
    return { weights, shares, full: 1 };
  }
  const brightest = shares.reduce((most, share, g) => (lit[g] ? Math.max(most, share) : most), 0);
  return { weights: shares, shares, full: scale === 'none' || brightest === 0 ? 1 : brightest };
}

/** The rows of a heat map without the groups that are not lit: [rows, lit groups]. */
export function litColumns(values: Float32Array, lit: readonly boolean[]): Float32Array {
  const keep = lit.flatMap((yes, g) => (yes ? [g] : []));
  const rows = values.length / lit.length;
  const kept = new Float32Array(rows * keep.length);
  for (let r = 0; r < rows; r++)
    keep.forEach((g, c) => (kept[r * keep.length + c] = values[r * lit.length + g]!));
  return kept;
}

/** A [size, size] map merged to [groups, groups]: mean over queries, sum over keys. */
export function groupMap(
  map: Float32Array,
  size: number,
  groups: readonly (readonly number[])[],
): Float32Array {
  const side = groups.length;
  const merged = new Float32Array(side * side);
  // Flat, since 512 tokens make a quarter of a million sums.
  const keys = Int32Array.from(groups.flat());
  const ends = new Int32Array(side);
  groups.forEach((group, g) => (ends[g] = (ends[g - 1] ?? 0) + group.length));
  groups.forEach((queries, r) => {
    for (const query of queries) {
      const row = query * size;
      for (let c = 0, i = 0; c < side; c++) {
        let sum = 0;
        for (; i < ends[c]!; i++) sum += map[row + keys[i]!]!;
        merged[r * side + c]! += sum / queries.length;
      }
    }
  });
  return merged;
}

/** Heads, merged to [groups, groups] as `groupMap` and combined. */
export function mixedMap(
  maps: AttentionMaps,
  places: readonly MixedHead[],
  groups: readonly (readonly number[])[],
  reduce: Reduction = 'mean',
): Float32Array {
  if (reduce === 'mean') return groupMap(meanOf(maps, places), maps.size, groups);
  const most = new Float32Array(groups.length ** 2);
  for (const place of places) {
    groupMap(meanOf(maps, [place]), maps.size, groups).forEach((value, i) => {
      if (value > most[i]!) most[i] = value;
    });
  }
  return most;
}

/**
 * A small picture of the map over `keep`: `side` × `side`, each cell the largest weight that falls in it, divided
 * by the largest of all: 0 to 1.
 */
export function thumbnail(
  map: Float32Array,
  size: number,
  keep: readonly number[],
  maxSide = 32,
): Float32Array {
  const side = Math.min(keep.length, maxSide);
  const cells = new Float32Array(side * side);
  const cellOf = Int32Array.from(keep, (_, i) => Math.floor((i * side) / keep.length));
  const keys = Int32Array.from(keep);
  let most = 0;
  for (let r = 0; r < keys.length; r++) {
    const row = keys[r]! * size;
    const cellRow = cellOf[r]! * side;
    for (let c = 0; c < keys.length; c++) {
      const weight = map[row + keys[c]!]!;
      const cell = cellRow + cellOf[c]!;
      if (weight > cells[cell]!) cells[cell] = weight;
      if (weight > most) most = weight;
    }
  }
  if (most > 0) for (let i = 0; i < cells.length; i++) cells[i]! /= most;
  return cells;
}
