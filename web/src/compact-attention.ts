import { HeadlightError } from './errors.js';
import type { CompactAttention, Tensor } from './types.js';

/** The n × n matrix of one of the heads kept, by its place among them: row = query, column = key. */
export function expandAttention(compact: CompactAttention, head: number): Tensor {
  const [heads = 0, size = 0] = compact.weights.shape;
  if (!Number.isInteger(head) || head < 0 || head >= heads) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `There is no head ${head} among the ${heads} that were kept`);
  }
  const n = compact.firstRange.length - 1;
  const data = new Float32Array(n * n);
  let from = head * size;
  for (let query = 0; query < n; query++) {
    for (const [start, end] of compact.ranges.slice(compact.firstRange[query], compact.firstRange[query + 1])) {
      data.set(compact.weights.data.subarray(from, from + end - start), query * n + start);
      from += end - start;
    }
  }
  return { data, shape: [n, n] };
}
