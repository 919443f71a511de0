// Tables with tabs between columns; the first line names them. Nothing is quoted.

import { HeadlightError } from '../../errors.js';
import { linesOf, readText } from '../command.js';
import type { Input } from '../../types.js';
import { failAt } from './evaluation.js';

export interface Row<Name extends string> {
  /** In the file, from 1. */
  line: number;
  cells: Record<Name, string> & Partial<Record<string, string>>;
}

/** Throws E_INVALID_ARGUMENT where a column that is needed, or a cell, is missing, and for a table without rows. */
export function readTable<Name extends string>(file: string, needed: readonly Name[]): Row<Name>[] {
  const [header, ...lines] = linesOf(readText(file));
  if (header === undefined) {
    const message = `${file} is empty: its first line must name the columns, with tabs between, ${needed.join(' and ')} among them`;
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file });
  }
  const names = header.split('\t');
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const message = `${file} has no column ${missing.join(' and no column ')}: its first line must name the columns, with tabs between`;
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file });
  }
  if (lines.length === 0) throw new HeadlightError('E_INVALID_ARGUMENT', `${file} has no rows`, { file });
  return lines.map((text, index) => {
    const line = index + 2;
    const cells = text.split('\t');
    if (cells.length !== names.length) {
      failAt(file, line, `has ${cells.length} columns, the first line ${names.length}`);
    }
    return { line, cells: Object.fromEntries(names.map((name, column) => [name, cells[column]])) as Row<Name>['cells'] };
  });
}

/** The texts, or pairs, of a table with a column text and perhaps text_pair: at most `limit`, evenly spread over the file. */
export const readInputs = (file: string, limit: number): Input[] =>
  spread(readTable(file, ['text']), limit).map(({ cells: { text, text_pair: textPair } }) =>
    textPair === undefined ? text : { text, textPair },
  );

/** At most `count` of the items, evenly spread. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!);
}
