// A table that is read in slices: never more of the file than a slice and a row is in memory.

import { TableError } from './error.js';
import { formatOf, linesIn, type Format } from './format.js';

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
}

export interface Place {
  /** Of the file. */
  byte: number;
  /** From 1. */
  line: number;
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
 * Throws a TableError for what is no table.
 */
export async function openTable(file: Blob & { name: string }, header?: boolean): Promise<Table> {
  const head = new Uint8Array(await bytesOf(file, 0, SLICE));
  if (head.length === 0) throw new TableError('empty');
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) throw new TableError('encoding');
  if (head.includes(0) || (head[0] === 0x50 && head[1] === 0x4b)) throw new TableError('binary');
  const whole = file.size <= head.length;
  const text = decode(new TextDecoder('utf-8', { fatal: true }), head, !whole, 1);
  if (text.trim() === '') throw new TableError('empty');
  const format = formatOf(file.name, text, whole);
  const rows = format.parse(text, whole).flatMap(({ cells }) => (cells ? [cells] : []));
  if (rows.length === 0) throw new TableError(whole ? 'empty' : 'rowTooLong', whole ? null : 1);
  const named = format.names !== null;
  const isHeader = !named && (header ?? looksLikeHeader(rows, file.name));
  const sample = rows.slice(isHeader ? 1 : 0, SAMPLE_ROWS);
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map((cells) => cells.length));
  const names = format.names ?? (isHeader ? rows[0]! : []);
  const length = named || isHeader ? names.length : width;
  const columns = Array.from({ length }, (_, i) => names[i]?.trim() || `${i + 1}`);
  return { name: file.name, file, format, columns, header: isHeader, sample };
}

/** Short, filled, none twice, no number: names. */
function looksLikeHeader([first, ...others]: readonly (readonly string[])[], name: string): boolean {
  const cells = first!.map((cell) => cell.trim());
  const isName = (cell: string) => cell !== '' && cell.length <= 40 && !/^[-+\d.,%\s]+$/.test(cell);
  return (
    others.length > 0 && !/\.txt$/i.test(name) && cells.every(isName) && new Set(cells).size === cells.length
  );
}

export const tableStart = (): Place => ({ byte: 0, line: 1 });

/**
 * The rows from a place on, in lists; blank lines and the header are left out. Throws a TableError where the file cannot
 * be read as what it is; the lists before it are good.
 */
export async function* readRows(table: Table, from: Place, signal: AbortSignal): AsyncGenerator<Row[]> {
  const { file, format, header } = table;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let { byte, line } = from;
  let read = byte;
  let rest = '';
  let headerNext = header && byte === 0;
  for (;;) {
    signal.throwIfAborted();
    const bytes = await bytesOf(file, read, read + SLICE);
    read += bytes.byteLength;
    const last = read >= file.size;
    rest += decode(decoder, new Uint8Array(bytes), !last, line, rest);
    // The mark of UTF-8 belongs to no cell.
    if (byte === 0 && rest.startsWith(MARK)) {
      rest = rest.slice(MARK.length);
      byte = utf8Length(MARK);
    }
    const rows: Row[] = [];
    let at = 0;
    try {
      for (const { cells, length } of format.parse(rest, last)) {
        const text = rest.slice(at, (at += length));
        const end = byte + utf8Length(text);
        const lines = linesIn(text);
        if (cells && !headerNext) rows.push({ cells, start: byte, end, line, lines });
        if (cells) headerNext = false;
        byte = end;
        line += lines;
      }
    } catch (error) {
      throw error instanceof TableError ? new TableError(error.problem, line + (error.line ?? 1) - 1) : error;
    }
    rest = rest.slice(at);
    if (rows.length > 0) yield rows;
    if (last) return;
    if (rest.length > LONGEST_ROW) throw new TableError('rowTooLong', line);
  }
}

/** The cells of one row, read again. */
export async function rowAt({ file, format }: Table, start: number, end: number): Promise<readonly string[]> {
  const text = await file.slice(start, end).text();
  return format.parse(text, true)[0]?.cells ?? [];
}

async function bytesOf(file: Blob, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new TableError('unreadable', null, { cause });
  }
}

/** before: what was decoded since `line`. */
function decode(
  decoder: TextDecoder,
  bytes: Uint8Array<ArrayBuffer>,
  stream: boolean,
  line: number,
  before = '',
): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    const lenient = new TextDecoder().decode(bytes);
    const good = before + lenient.slice(0, Math.max(0, lenient.indexOf('\ufffd')));
    throw new TableError('encoding', line + linesIn(good), { cause });
  }
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
