// Rows of CSV, TSV, JSON lines or plain lines, out of pieces of a file's text.

import Papa from 'papaparse';
import { TableError, type TableProblem } from './error.js';

export interface ParsedRow {
  /** null: a blank line. */
  cells: string[] | null;
  /** UTF-16 units, its line end included. */
  length: number;
}

export interface Parsed {
  /** From the text's beginning, without a gap. */
  rows: ParsedRow[];
  /** What is wrong with the row after them; null: nothing. */
  broken: TableProblem | null;
}

export interface Format {
  /** Rows at the beginning of a text. Unless it is the `last` piece, what follows the last line end is left for the next. */
  parse(text: string, last: boolean): Parsed;
  /** Of the keys of objects; null: the first row, or none, names the columns. */
  names: readonly string[] | null;
}

/** A delimiter that no text holds, for tables of one column. */
const NONE = '\u001f';

export function delimited(delimiter: string, lineEnd: '\n' | '\r', quotes: boolean): Format {
  return {
    names: null,
    parse(text, last) {
      const rows: ParsedRow[] = [];
      let at = 0;
      let broken: TableProblem | null = null;
      const parser = new Papa.Parser({
        delimiter,
        newline: lineEnd,
        ...(!quotes && { fastMode: true }),
        step({ data, errors, meta }: Papa.ParseStepResult<string[]>) {
          if (errors.some(({ type }) => type === 'Quotes')) {
            broken = 'quotes';
            parser.abort();
            return;
          }
          const cells = (data as unknown as string[][])[0]!;
          // Lines may end in CR LF, some or all.
          cells.push(cells.pop()!.replace(/\r$/, ''));
          const end = meta.cursor;
          rows.push({ cells: cells.length === 1 && cells[0]!.trim() === '' ? null : cells, length: end - at });
          at = end;
        },
      });
      parser.parse(text, 0, !last);
      // After the last line end there is no row.
      if (last && rows.at(-1)?.length === 0) rows.pop();
      return { rows, broken };
    },
  };
}

export function jsonLines(names: readonly string[]): Format {
  return {
    names,
    parse(text, last) {
      const rows: ParsedRow[] = [];
      for (let at = 0; at < text.length; ) {
        const end = text.indexOf('\n', at) + 1 || (last ? text.length : 0);
        if (end === 0) break;
        const line = text.slice(at, end).trim();
        const cells = line === '' ? null : cellsOf(line, names);
        if (line !== '' && cells === null) return { rows, broken: 'json' };
        rows.push({ cells, length: end - at });
        at = end;
      }
      return { rows, broken: null };
    },
  };
}

/** null: the line is no object. */
function cellsOf(line: string, names: readonly string[]): string[] | null {
  const object = objectOf(line);
  return object && names.map((name) => cellText(object[name]));
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Line ends in a text. */
export const linesIn = (text: string): number => (text.match(/\n|\r(?!\n)/g) ?? []).length;

/** The format of a file, by its name and the beginning of its text; whole: that is all of it. */
export function formatOf(name: string, sample: string, whole: boolean): Format {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const start = sample.trimStart();
  if (['jsonl', 'ndjson', 'json'].includes(extension) || start.startsWith('{"')) {
    if (start.startsWith('[')) throw new TableError('jsonArray');
    return jsonLines(keysOf(sample, whole));
  }
  const lineEnd = sample.includes('\n') || !sample.includes('\r') ? '\n' : '\r';
  const firstLine = start.slice(0, start.search(/[\r\n]|$/));
  if (extension === 'txt' && !firstLine.includes('\t')) return delimited(NONE, lineEnd, false);
  return delimited(delimiterOf(extension, firstLine, sample), lineEnd, true);
}

function delimiterOf(extension: string, firstLine: string, sample: string): string {
  if (['tsv', 'tab', 'txt'].includes(extension)) return '\t';
  if (!/[,;\t|]/.test(firstLine)) return NONE;
  return Papa.parse(sample, { preview: 100, skipEmptyLines: true, delimitersToGuess: [',', '\t', ';', '|'] }).meta.delimiter;
}

/** Keys of the objects in a text, in the order in which they come. */
function keysOf(sample: string, whole: boolean): string[] {
  const lines = sample.split('\n');
  if (!whole && lines.length > 1) lines.pop();
  return [...new Set(lines.flatMap((line) => Object.keys(objectOf(line) ?? {})))];
}
