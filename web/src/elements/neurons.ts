// Why a head looks where it looks: the query of one token against the keys of all, dimension by dimension (the neuron
// view of Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model"). Pure functions on Float32Arrays.

import type { Tensor } from '../types.js';

/** One token's query against all keys of a head, whose vectors have `size` dimensions. */
export interface Neurons {
  size: number;
  /** The token's query, [size]. */
  query: Float32Array;
  /** All tokens' keys, [tokens, size]. */
  keys: Float32Array;
  /** Each key times the query, over the root of `size`: [tokens, size]. */
  products: Float32Array;
  /**
   * What the products of a token add up to, [tokens]: its score before softmax. Some families add something for the
   * distance of the tokens (relative positions, NEZHA, MPNet) or scale otherwise, too (DeBERTa).
   */
  scores: Float32Array;
}

const isIndex = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count;

/**
 * Of `model.forward(text, { queriesKeysValues: true })`.
 *
 * @param queries of one layer, [heads, tokens, size]: an entry of `queries`
 * @param keys of the same layer: an entry of `keys`
 * @param head which of the heads, from 0
 * @param token whose query, from 0
 * @throws RangeError for shapes that differ, and for a head or token that is not there
 */
export function neurons(queries: Tensor, keys: Tensor, head: number, token: number): Neurons {
  const [heads, tokens, size] = queries.shape as [number, number, number];
  if (queries.shape.length !== 3 || queries.shape.join() !== keys.shape.join()) {
    throw new RangeError(`queries and keys need the shape [heads, tokens, size], not [${queries.shape}] and [${keys.shape}]`);
  }
  if (!isIndex(head, heads)) throw new RangeError(`there is no head ${head}, there are ${heads}`);
  if (!isIndex(token, tokens)) throw new RangeError(`there is no token ${token}, there are ${tokens}`);
  const start = head * tokens * size;
  const query = queries.data.subarray(start + token * size, start + (token + 1) * size);
  const all = keys.data.subarray(start, start + tokens * size);
  const products = all.map((key, i) => (key * query[i % size]!) / Math.sqrt(size));
  const scores = Float32Array.from({ length: tokens }, (_, i) =>
    products.subarray(i * size, (i + 1) * size).reduce((sum, product) => sum + product, 0),
  );
  return { size, query, keys: all, products, scores };
}
