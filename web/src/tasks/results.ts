import type { Cut, Results } from '../types.js';

/** The list with its property `truncated`. */
export function withCuts<Result>(results: Result[], truncated: Cut[]): Results<Result> {
  return Object.defineProperty(results, 'truncated', { value: truncated }) as Results<Result>;
}
