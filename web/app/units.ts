// Words or pieces of a reading, and names for them.

import { pieceGroups, wordGroups } from '../src/elements/index.js';
import type { AttendedToken, AttentionResult, Input } from '../src/types.js';
import type { Reading, Units } from './registry.js';

export function unitsOf({ tokens, words }: AttentionResult, pieces: boolean): Units {
  const entries = pieces ? tokens : words;
  return {
    entries,
    groups: pieces ? pieceGroups(tokens) : wordGroups(tokens),
    lit: entries.map((entry) => entry.sequenceId !== null),
  };
}

/** What was read, as the model's calls take it. */
export const inputOf = ({ text, pair }: Pick<Reading, 'text' | 'pair'>): Input =>
  pair === null ? text : { text, textPair: pair };

/** How an entry is called: its text in the input, or a special token's own name. */
export const entryName = (reading: Reading, entry: AttendedToken): string =>
  entry.sequenceId === null
    ? entry.text
    : ((entry.sequenceId === 1 ? reading.pair : reading.text) ?? '').slice(entry.start, entry.end) || entry.text;

/** How the one that looks is called. */
export const queryName = (reading: Reading, query: number): string =>
  entryName(reading, reading.units.entries[query]!);

/** The entry that holds a token; the first where the text has become too short. */
export const entryOf = (units: Units, token: number): number =>
  Math.max(
    0,
    units.groups.findIndex((group) => group.includes(token)),
  );

/**
 * Where a token of one text stands in another one: in what both begin with, or end with; null: the text changed there.
 */
export function sameToken(
  before: readonly AttendedToken[],
  after: readonly AttendedToken[],
  token: number,
): number | null {
  const same = (i: number, j: number) =>
    before[i] !== undefined && before[i].text === after[j]?.text && before[i].sequenceId === after[j].sequenceId;
  const moved = token + after.length - before.length;
  if (before.slice(0, token + 1).every((_, i) => same(i, i))) return token;
  return before.slice(token).every((_, i) => same(token + i, moved + i)) ? moved : null;
}

/** The token of the text that holds a UTF-16 unit, or null. */
export function tokenAt({ tokens }: AttentionResult, unit: number): number | null {
  const at = tokens.findIndex(({ sequenceId, start, end }) => sequenceId === 0 && start <= unit && unit < end);
  return at < 0 ? null : at;
}

export const litEntries = (units: Units): AttendedToken[] => units.entries.filter((_, i) => units.lit[i]);

/** The language a text looks to be in, for fonts and voices; '' where the letters do not say. */
export function languageOf(text: string): string {
  const scripts: [RegExp, string][] = [
    [/[\u3040-\u30ff]/, 'ja'],
    [/[\uac00-\ud7af]/, 'ko'],
    [/[\u4e00-\u9fff]/, 'zh-Hans'],
    [/[\u0590-\u05ff]/, 'he'],
    [/[\u0600-\u06ff]/, 'ar'],
  ];
  return scripts.find(([script]) => script.test(text))?.[1] ?? '';
}
