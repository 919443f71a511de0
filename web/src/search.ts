import { HeadlightError } from './errors.js';
import { checkOptions } from './options.js';
import type { Ranked, Tensor } from './types.js';

/** A vector: of `embed`, or its numbers alone. */
export type Vector = Float32Array | Tensor;

export interface SearchOptions {
  /** How many to return; default all. */
  topK?: number;
  /** 'cosine' (default) divides by the lengths, so that equal directions score 1; 'dot' does not. */
  metric?: 'cosine' | 'dot';
}

/**
 * Exact nearest neighbours: every vector is compared with the query; the best first, equal ones in their order. A vector
 * of zeros has no direction and scores 0. `vectors`: a list, or one tensor [count, size].
 * Throws E_INVALID_ARGUMENT for vectors of other sizes than the query's.
 */
export function search(
  vectors: readonly Vector[] | Tensor,
  query: Vector,
  options: SearchOptions = {},
): Ranked[] {
  checkOptions(options);
  const { topK = Infinity, metric = 'cosine' } = options;
  if (!(topK === Infinity || (Number.isInteger(topK) && topK > 0))) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `topK must be a whole number, at least 1, not ${topK}`);
  }
  if (metric !== 'cosine' && metric !== 'dot') {
    throw new HeadlightError('E_INVALID_ARGUMENT', `metric must be "cosine" or "dot", not ${String(metric)}`);
  }
  const target = numbersOf(query);
  const ranked = rowsOf(vectors, target.length).map((row, index) => {
    const product = dot(row, target);
    const lengths = metric === 'dot' ? 1 : Math.sqrt(dot(row, row) * dot(target, target));
    return { index, score: lengths > 0 ? product / lengths : 0 };
  });
  return ranked.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, topK);
}

function rowsOf(vectors: readonly Vector[] | Tensor, size: number): Float32Array[] {
  const rows = isList(vectors) ? vectors.map(numbersOf) : split(vectors);
  const other = rows.findIndex((row) => row.length !== size);
  if (other < 0) return rows;
  throw new HeadlightError(
    'E_INVALID_ARGUMENT',
    `Vector ${other} has ${rows[other]?.length} numbers, the query ${size}`,
  );
}

const isList = (vectors: readonly Vector[] | Tensor): vectors is readonly Vector[] => Array.isArray(vectors);

const numbersOf = (vector: Vector): Float32Array => (vector instanceof Float32Array ? vector : vector.data);

/** [count, size] -> count rows. */
function split({ data, shape }: Tensor): Float32Array[] {
  const size = shape.at(-1) ?? 0;
  return Array.from({ length: size > 0 ? data.length / size : 0 }, (_, row) =>
    data.subarray(row * size, (row + 1) * size),
  );
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
