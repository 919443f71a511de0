import { invalid, isListOf, isText, reading } from '../options.js';

/** Query and documents as the engine takes them; throws E_INVALID_ARGUMENT for what is no text. */
export function toRankPairs(query: string, documents: readonly string[]): { text: string; textPair: string }[] {
  if (typeof query !== 'string') throw invalid('The query must be a string');
  return reading('The documents', () => {
    if (!isListOf<string>(documents, isText)) throw invalid('The documents must be a list of strings');
    return documents.map((textPair) => ({ text: query, textPair }));
  });
}
