// A table that is read in slices: never more of the file than a slice and a row is in memory.

import { TableError, type TableProblem } from './error.js';
import { formatOf, linesIn, type Format, type Parsed } from './format.js';

/** Bytes that are read at once. */
export const SLICE = 1 << 18;
/** UTF-16 units of a row at most; a quote that is never closed would else take in the whole file. */
export const LONGEST_ROW = 1 << 20;
/** Rows by which columns are guessed. */
const SAMPLE_ROWS = 200;
const MARK = '\ufeff';

export interface Table {
  name: string;
  file: Blob;
  format: Format;
  columns: readonly string[];
  /** Whether the first row names the columns. */
  header: boolean;
  /** The first rows. */
  sample: readonly (readonly string[])[];
  /** What ends the reading, where that is near the beginning; null: nothing that is known yet. */
  problem: TableError | null;
}

export interface Place {
  /** Of the file. */
  byte: number;
  /** From 1. */
  line: number;
  /** The next one's number, from 1. */
  row: number;
}

export interface Row {
  cells: readonly string[];
  /** Bytes of the file. */
  start: number;
  end: number;
  line: number;
  /** That it takes; a cell in quotes may hold some. */
  lines: number;
}

/**
 * Looks at the beginning of a file. header: whether the first row names the columns; without it that is guessed.
 * Throws a TableError for what is no table, or has no row that can be read.
 */
export async function openTable(file: Blob & { name: string }, header?: boolean): Promise<Table> {
  const head = new Uint8Array(await bytesOf(file, 0, SLICE));
  if (head.length === 0) throw new TableError('empty');
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) throw new TableError('encoding');
  if (head.includes(0) || (head[0] === 0x50 && head[1] === 0x4b)) throw new TableError('binary');
  const last = file.size <= head.length;
  const decoded = decode(newDecoder(), head, !last);
  const marked = decoded ?? wellFormed(head);
  const text = marked.startsWith(MARK) ? marked.slice(MARK.length) : marked;
  const whole = last && decoded !== null;
  if (whole && text.trim() === '') throw new TableError('empty');
  const format = formatOf(file.name, text, whole);
  const parsed = format.parse(text, whole);
  const rows = parsed.rows.flatMap(({ cells }) => (cells ? [cells] : []));
  const broken = brokenRow(text, parsed, decoded !== null);
  const named = format.names !== null;
  const isHeader = !named && rows.length > 0 && (header ?? looksLikeHeader(rows, broken !== null, file.name));
  const all = rows.slice(isHeader ? 1 : 0);
  const problem = broken && new TableError(broken.problem, broken.line, all.length + 1);
  // A header alone is no table, unless somebody says that it is one.
  if (problem && all.length === 0 && header === undefined) throw new TableError(problem.problem, problem.line);
  if (rows.length === 0) throw new TableError(whole ? 'empty' : 'rowTooLong', whole ? null : 1);
  const sample = all.slice(0, SAMPLE_ROWS);
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map((cells) => cells.length));
  const names = format.names ?? (isHeader ? rows[0]! : []);
  const length = named || isHeader ? names.length : width;
  const columns = Array.from({ length }, (_, i) => names[i]?.trim() || `${i + 1}`);
  return { name: file.name, file, format, columns, header: isHeader, sample, problem };
}

/** What is wrong after the rows of a text, and its line, from 1 at the text's beginning; null: nothing. */
function brokenRow(text: string, { rows, broken }: Parsed, isUtf8: boolean): { problem: TableProblem; line: number } | null {
  const end = rows.reduce((sum, { length }) => sum + length, 0);
  if (broken) return { problem: broken, line: linesIn(text.slice(0, end)) + 1 };
  return isUtf8 ? null : { problem: 'encoding', line: linesIn(text) + 1 };
}

/** Short, filled, none twice, no number: names. more: something follows the rows. */
function looksLikeHeader([first, ...others]: readonly (readonly string[])[], more: boolean, name: string): boolean {
  const cells = first!.map((cell) => cell.trim());
  const isName = (cell: string) => cell !== '' && cell.length <= 40 && !/^[-+\d.,%\s]+$/.test(cell);
  return (
    (others.length > 0 || more) && !/\.txt$/i.test(name) && cells.every(isName) && new Set(cells).size === cells.length
  );
}

export const tableStart = (): Place => ({ byte: 0, line: 1, row: 1 });

/**
 * The rows from a place on, in lists; blank lines and the header are left out. Throws a TableError where the file cannot
 * be read as what it is, after all rows before that.
 */
export async function* readRows(table: Table, from: Place, signal: AbortSignal): AsyncGenerator<Row[]> {
  const { file, format, header } = table;
  const decoder = newDecoder();
  let { byte, line, row } = from;
  let read = byte;
  let rest = '';
  let headerNext = header && byte === 0;
  for (;;) {
    signal.throwIfAborted();
    const bytes = await bytesOf(file, read, read + SLICE);
    read += bytes.byteLength;
    const last = read >= file.size;
    const decoded = decode(decoder, new Uint8Array(bytes), !last);
    rest = decoded === null ? wellFormed(new Uint8Array(await bytesOf(file, byte, read))) : rest + decoded;
    // The mark of UTF-8 belongs to no cell.
    if (byte === 0 && rest.startsWith(MARK)) {
      rest = rest.slice(MARK.length);
      byte = utf8Length(MARK);
    }
    const parsed = format.parse(rest, last && decoded !== null);
    const broken = brokenRow(rest, parsed, decoded !== null);
    const brokenLine = line + (broken?.line ?? 1) - 1;
    const rows: Row[] = [];
    let at = 0;
    for (const { cells, length } of parsed.rows) {
      const text = rest.slice(at, (at += length));
      const end = byte + utf8Length(text);
      const lines = linesIn(text);
      if (cells && !headerNext) rows.push({ cells, start: byte, end, line, lines });
      if (cells) headerNext = false;
      byte = end;
      line += lines;
    }
    rest = rest.slice(at);
    row += rows.length;
    if (rows.length > 0) yield rows;
    if (broken) throw new TableError(broken.problem, brokenLine, row);
    if (last) return;
    if (rest.length > LONGEST_ROW) throw new TableError('rowTooLong', line, row);
  }
}

/** The cells of one row, read again. */
export async function rowAt({ file, format }: Table, start: number, end: number): Promise<readonly string[]> {
  const text = await file.slice(start, end).text();
  return format.parse(text, true).rows[0]?.cells ?? [];
}

async function bytesOf(file: Blob, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new TableError('unreadable', null, null, { cause });
  }
}

const newDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** null: they are not UTF-8. */
function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string | null {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return null;
  }
}

/** The text of bytes up to the first that is not UTF-8. */
function wellFormed(bytes: Uint8Array): string {
  const begin = (end: number) => decode(newDecoder(), bytes.subarray(0, end), true);
  let good = 0;
  for (let bad = bytes.length; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    if (begin(middle) === null) bad = middle;
    else good = middle;
  }
  return begin(good)!;
}

/** Bytes of a well-formed text in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // The two halves of a surrogate pair take four bytes together.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}
