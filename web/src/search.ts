import { checkChoice, invalid, isObject, readOptions, reading, wrong, type OptionNames } from './options.js';
import type { Ranked, Tensor } from './types.js';

/** A vector: of `embed`, or its numbers alone. */
export type Vector = Float32Array | Tensor;

export interface SearchOptions {
  /** How many to return; default all. */
  topK?: number;
  /** 'cosine' (default) divides by the lengths, so that equal directions score 1; 'dot' does not. */
  metric?: 'cosine' | 'dot';
}

const optionNames: OptionNames<SearchOptions> = { topK: 1, metric: 1 };

/**
 * Exact nearest neighbours: every vector is compared with the query; the best first, equal ones in their order. A vector
 * of zeros has no direction and scores 0. `vectors`: a list, or one tensor [count, size].
 * Throws E_INVALID_ARGUMENT for vectors of other sizes than the query's, and for what is no vector.
 */
export function search(
  vectors: readonly Vector[] | Tensor,
  query: Vector,
  options?: SearchOptions,
): Ranked[] {
  const given = readOptions(options, optionNames);
  const [topK, metric] = [given.topK ?? Infinity, given.metric ?? 'cosine'];
  if (!(topK === Infinity || (Number.isInteger(topK) && topK > 0))) throw wrong('topK', 'a whole number, at least 1', topK);
  checkChoice('metric', metric, ['cosine', 'dot']);
  const target = reading('The query', () => numbersOf(query, 'The query'));
  const rows = reading('The vectors', () => rowsOf(vectors, target.length));
  const ranked = rows.map((row, index) => {
    const product = dot(row, target);
    const lengths = metric === 'dot' ? 1 : Math.sqrt(dot(row, row) * dot(target, target));
    return { index, score: lengths > 0 ? product / lengths : 0 };
  });
  return ranked.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, topK);
}

function rowsOf(vectors: readonly Vector[] | Tensor, size: number): Float32Array[] {
  const rows = Array.isArray(vectors)
    ? Array.from(vectors as Vector[], (vector, i) => numbersOf(vector, `Vector ${i}`))
    : split(vectors as Tensor);
  const other = rows.findIndex((row) => row.length !== size);
  if (other < 0) return rows;
  throw invalid(`Vector ${other} has ${rows[other]?.length} numbers, the query ${size}`);
}

function numbersOf(vector: Vector, name: string): Float32Array {
  if (vector instanceof Float32Array) return vector;
  const data = isObject(vector) ? vector.data : undefined;
  if (data instanceof Float32Array) return data;
  throw wrong(name, 'a Float32Array or { data }', vector);
}

/** [count, size] -> count rows. */
function split(tensor: Tensor): Float32Array[] {
  const data = numbersOf(tensor, 'vectors');
  if (data.length === 0) return [];
  const size = Array.isArray(tensor.shape) ? Number(tensor.shape.at(-1)) : NaN;
  if (!(size > 0 && Number.isInteger(data.length / size))) throw invalid('The shape of the vectors does not fit their data');
  return Array.from({ length: data.length / size }, (_, row) => data.subarray(row * size, (row + 1) * size));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
