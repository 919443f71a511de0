import { invalid, reading, show, wrong } from './options.js';
import type { CompactAttention, Tensor } from './types.js';

/**
 * The n × n matrix of one of the heads kept, by its place among them: row = query, column = key. Throws E_INVALID_ARGUMENT
 * for a head that there is not and for what is no CompactAttention.
 */
export function expandAttention(compact: CompactAttention, head: number): Tensor {
  return reading('The compact attention', () => {
    const { weights, ranges, firstRange } = compact ?? {};
    const isOne = weights?.data instanceof Float32Array && [weights.shape, ranges, firstRange].every(Array.isArray);
    if (!isOne) throw wrong('The compact attention', 'one of those that forward() gives', compact);
    const [heads = 0, size = 0] = weights.shape;
    if (!Number.isInteger(head) || head < 0 || head >= heads) {
      throw invalid(`There is no head ${show(head)} among the ${heads} that were kept`);
    }
    const n = firstRange.length - 1;
    const data = new Float32Array(n * n);
    let from = head * size;
    for (let query = 0; query < n; query++) {
      for (const [start, end] of ranges.slice(firstRange[query], firstRange[query + 1])) {
        data.set(weights.data.subarray(from, from + end - start), query * n + start);
        from += end - start;
      }
    }
    return { data, shape: [n, n] };
  });
}
