// What the views show, derived from attention that is already in memory: no call of the engine a hover.
// Pure functions on Float32Arrays.

import type { AttendedToken, AttentionResult } from '../types.js';

export { wordGroups } from '../words.js';

/** Attention of every head, row-major [layers, heads, size, size]: row = query, column = key, 0 to 1. */
export interface AttentionMaps {
  data: Float32Array;
  layers: number;
  heads: number;
  size: number;
}

/** One by index from 0, or the mean over all. */
export type Choice = number | 'all';

/**
 * How a share of attention becomes light: as it is ('none'), against the brightest token ('brightest'), or each
 * token over the heads ('heads', scikit-learn's MinMaxScaler, as `attention({ scale: 'minmax-heads' })`).
 */
export type LightScale = 'none' | 'brightest' | 'heads';

/** Of `model.attention(text, { query: 'all', specialTokens: true })`; throws a RangeError for another shape. */
export function mapsOf(result: AttentionResult): AttentionMaps {
  const { data, shape, axes } = result.weights;
  if (axes.join() !== 'layer,head,query,key' || shape[2] !== shape[3]) {
    throw new RangeError(
      `maps need the axes layer, head, query, key of all tokens, not ${axes.join(', ')} [${shape}]`,
    );
  }
  const [layers, heads, size] = shape as [number, number, number, number];
  return { data, layers, heads, size };
}

/** Each token by itself. */
export const pieceGroups = (tokens: readonly AttendedToken[]): number[][] => tokens.map((_, i) => [i]);

/** Which layers, or heads, a choice stands for. */
const chosen = (choice: Choice, count: number): number[] =>
  choice === 'all' ? Array.from({ length: count }, (_, i) => i) : [choice];

/** Mean over chosen layers and heads: [size, size]. One layer and one head: a view of the maps, not a copy. */
export function meanMap(maps: AttentionMaps, layer: Choice, head: Choice): Float32Array {
  const area = maps.size * maps.size;
  const starts = chosen(layer, maps.layers).flatMap((l) =>
    chosen(head, maps.heads).map((h) => (l * maps.heads + h) * area),
  );
  if (starts.length === 1) return maps.data.subarray(starts[0]!, starts[0]! + area);
  const mean = new Float32Array(area);
  for (const start of starts) for (let i = 0; i < area; i++) mean[i]! += maps.data[start + i]!;
  for (let i = 0; i < area; i++) mean[i]! /= starts.length;
  return mean;
}

/**
 * What `query` pays each group of tokens, a row a head: [heads, groups]. Mean over the query's tokens and the
 * chosen layers, sum over a group's tokens, as `attention({ words: true })`.
 */
export function headRows(
  maps: AttentionMaps,
  layer: Choice,
  query: readonly number[],
  groups: readonly (readonly number[])[],
): Float32Array {
  const { data, heads, size } = maps;
  const rows = new Float32Array(heads * groups.length);
  const layers = chosen(layer, maps.layers);
  const parts = layers.length * query.length;
  for (let h = 0; h < heads; h++) {
    groups.forEach((group, g) => {
      let sum = 0;
      for (const l of layers) {
        for (const q of query) {
          const row = ((l * heads + h) * size + q) * size;
          for (const key of group) sum += data[row + key]!;
        }
      }
      rows[h * groups.length + g] = sum / parts;
    });
  }
  return rows;
}

/** What `query` pays each group of tokens, a row a layer: [layers, groups]; otherwise as `headRows`. */
export function layerRows(
  maps: AttentionMaps,
  head: Choice,
  query: readonly number[],
  groups: readonly (readonly number[])[],
): Float32Array {
  const rows = new Float32Array(maps.layers * groups.length);
  for (let layer = 0; layer < maps.layers; layer++) {
    rows.set(pickHead(headRows(maps, layer, query, groups), head, groups.length), layer * groups.length);
  }
  return rows;
}

/** A head's row of [heads, groups], or the mean of all. */
const pickHead = (rows: Float32Array, head: Choice, groups: number): Float32Array =>
  head === 'all' ? meanRow(rows, groups) : rows.slice(head * groups, (head + 1) * groups);

/**
 * Each column of [rows, columns] to 0 … 1 over the rows, as scikit-learn's MinMaxScaler: a column whose range is
 * below ten float32 epsilons counts as constant and only has its minimum taken away.
 */
export function minmaxColumns(values: Float32Array, columns: number): Float32Array {
  const constant = 10 * 2 ** -23;
  const scaled = new Float32Array(values.length);
  for (let c = 0; c < columns; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = c; i < values.length; i += columns) {
      low = Math.min(low, values[i]!);
      high = Math.max(high, values[i]!);
    }
    const range = high - low < constant ? 1 : high - low;
    for (let i = c; i < values.length; i += columns) scaled[i] = (values[i]! - low) / range;
  }
  return scaled;
}

/** Mean of the rows of [rows, columns]. */
export function meanRow(values: Float32Array, columns: number): Float32Array {
  const mean = new Float32Array(columns);
  const rows = values.length / columns;
  for (let c = 0; c < columns; c++) {
    let sum = 0;
    for (let i = c; i < values.length; i += columns) sum += values[i]!;
    mean[c] = sum / rows;
  }
  return mean;
}

export interface LightOptions {
  layer: Choice;
  head: Choice;
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
  /** Share of the query's attention each group took, 0 to 1; they add up to 1. */
  shares: Float32Array;
  /** The weight that is full light. */
  full: number;
}

/** The light of each group of tokens. */
export function light(maps: AttentionMaps, { layer, head, query, groups, lit, scale }: LightOptions): Light {
  const rows = headRows(maps, layer, query, groups);
  const pick = (values: Float32Array) => pickHead(values, head, groups.length);
  const shares = pick(rows);
  if (scale === 'heads') return { weights: pick(minmaxColumns(rows, groups.length)), shares, full: 1 };
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
  const merged = new Float32Array(groups.length * groups.length);
  groups.forEach((queries, r) => {
    groups.forEach((keys, c) => {
      let sum = 0;
      for (const q of queries) for (const k of keys) sum += map[q * size + k]!;
      merged[r * groups.length + c] = sum / queries.length;
    });
  });
  return merged;
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
