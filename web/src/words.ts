import type { AttendedToken } from './types.js';

/** Token indices of each word, special tokens by themselves; parallel to `AttentionResult.words`. */
export function wordGroups(tokens: readonly AttendedToken[]): number[][] {
  const groups: number[][] = [];
  tokens.forEach((token, i) => {
    const before = tokens[i - 1];
    const joins =
      before &&
      token.wordId !== null &&
      token.wordId === before.wordId &&
      token.sequenceId === before.sequenceId;
    if (joins) groups[groups.length - 1]!.push(i);
    else groups.push([i]);
  });
  return groups;
}
