// The original text cut into runs that are lit and runs that are not. Whitespace, line breaks and whatever the
// tokenizer dropped stay where they are, so that the runs joined are the text.

import type { AttendedToken } from '../types.js';

export interface Segment {
  text: string;
  /** Indices of the tokens on this run; empty where no token is. */
  tokens: number[];
  /** The run continues the word of the run before it. */
  continues: boolean;
}

/** Special tokens belong to no text; they stand aside. */
export const isSpecial = (token: AttendedToken): boolean => token.sequenceId === null;

/**
 * Runs of one text. `merge` joins the pieces of a word. Tokens that overlap (several on one character) or are
 * empty share the run before them.
 *
 * @param sequence 0 for the text, 1 for the other text of a pair
 */
export function segment(
  text: string,
  tokens: readonly AttendedToken[],
  merge: boolean,
  sequence: 0 | 1 = 0,
): Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  let last: Segment | undefined;
  let lastWord: number | null = null;
  tokens.forEach((token, i) => {
    if (token.sequenceId !== sequence) return;
    const start = Math.max(token.start, end);
    const stop = Math.min(Math.max(token.end, start), text.length);
    const sameWord = last !== undefined && token.wordId !== null && token.wordId === lastWord;
    if (last && (stop <= start || (merge && sameWord))) {
      last.text += text.slice(end, Math.max(stop, end));
      last.tokens.push(i);
      end = Math.max(stop, end);
      return;
    }
    if (stop <= start) return;
    if (start > end) segments.push({ text: text.slice(end, start), tokens: [], continues: false });
    last = { text: text.slice(start, stop), tokens: [i], continues: sameWord && start === end };
    segments.push(last);
    lastWord = token.wordId;
    end = stop;
  });
  if (end < text.length) segments.push({ text: text.slice(end), tokens: [], continues: false });
  return segments;
}

/** What a screen reader, a table or an axis calls a token; spaces and line breaks would vanish otherwise. */
export const tokenName = (text: string): string => text.replace(/\s+/g, ' ').trim() || '␣';
