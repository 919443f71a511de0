import { HeadlightError } from '../errors.js';

/** Query and documents as the engine takes them; throws E_INVALID_ARGUMENT for what is no text. */
export function toRankPairs(query: string, documents: readonly string[]): { text: string; textPair: string }[] {
  if (typeof query !== 'string') throw new HeadlightError('E_INVALID_ARGUMENT', 'The query must be a string');
  if (!Array.isArray(documents) || !documents.every((document) => typeof document === 'string')) {
    throw new HeadlightError('E_INVALID_ARGUMENT', 'The documents must be a list of strings');
  }
  return documents.map((textPair: string) => ({ text: query, textPair }));
}
