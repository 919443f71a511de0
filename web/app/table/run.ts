// Reads a table row by row through a model, and answers what a page of it shows.

import type { Model, ModelInfo } from '../../src/types.js';
import { csv } from '../../src/elements/text-format.js';
import type { Task } from '../registry.js';
import { csvBlob } from '../save.js';
import { labelIndex } from './columns.js';
import { TableError } from './error.js';
import { readRows, rowAt, tableStart, type Row, type Table } from './reader.js';
import { MOST_ROWS, Results } from './results.js';
import type { RowResult } from './task.js';

/** Rows that are given to the model at once. */
const BATCH = 16;
/** What a row without text gets. */
const blank: RowResult = { label: '', score: 0, spans: [] };

export interface RunColumns {
  text: number;
  /** Of right labels; null: nothing is compared. */
  label: number | null;
}

export class TableRun {
  readonly results: Results;
  /** What the right labels are compared with. */
  readonly labels: readonly string[];
  /** Rows without text: no model read them, and they are neither right nor wrong. */
  unread = 0;
  /** Rows with more or fewer cells than there are columns, and the line of the first. */
  ragged = { count: 0, line: 0 };
  /** All rows were read. */
  complete = false;
  /** All rows were read before one that cannot be. */
  broken = false;
  /** Bytes of the file that were read. */
  bytes = 0;

  #place = tableStart();
  #query = '';

  /** @param changed rows were read */
  constructor(
    readonly table: Table,
    readonly columns: RunColumns,
    private readonly model: Model,
    private readonly task: Task,
    private readonly changed: () => void,
  ) {
    this.labels = columns.label === null ? [] : task.table!.labels(model.info as ModelInfo);
    this.results = new Results(this.labels);
  }

  /** Reads on from where it stopped, to the end or until the signal. Throws a TableError, or what the model throws. */
  async read(signal: AbortSignal): Promise<void> {
    try {
      await this.#readOn(signal);
    } catch (error) {
      this.broken = error instanceof TableError && error.row !== null;
      throw error;
    }
  }

  async #readOn(signal: AbortSignal): Promise<void> {
    for await (const rows of readRows(this.table, this.#place, signal)) {
      for (let at = 0; at < rows.length; at += BATCH) {
        const batch = rows.slice(at, at + BATCH);
        const results = await this.#judge(batch, signal);
        signal.throwIfAborted();
        batch.forEach((row, i) => this.#take(row, results[i]!));
        this.changed();
        signal.throwIfAborted();
        if (this.results.size >= MOST_ROWS) throw new TableError('tooManyRows', batch.at(-1)!.line);
      }
    }
    this.bytes = this.table.file.size;
    this.complete = true;
    this.changed();
  }

  async #judge(rows: readonly Row[], signal: AbortSignal): Promise<RowResult[]> {
    const texts = rows.map((row) => this.#textOf(row.cells));
    const filled = texts.filter((text) => text.trim() !== '');
    const results = filled.length > 0 ? await this.task.table!.read(this.model, filled, signal) : [];
    let next = 0;
    return texts.map((text) => (text.trim() === '' ? blank : results[next++]!));
  }

  #take(row: Row, result: RowResult): void {
    const { label } = this.columns;
    const cell = label === null ? '' : (row.cells[label] ?? '').trim();
    const told = cell === '' ? -1 : (labelIndex(cell, this.labels) ?? -2);
    // Nothing of a row that was not read is compared.
    const right = result === blank && told === -2 ? -1 : told;
    if (result === blank) this.unread++;
    this.results.push(row, result, right, this.#finds(row.cells));
    if (row.cells.length !== this.table.columns.length && this.ragged.count++ === 0) this.ragged.line = row.line;
    this.bytes = row.end;
    this.#place = { byte: row.end, line: row.line + row.lines, row: this.results.size + 1 };
  }

  #textOf(cells: readonly string[]): string {
    return cells[this.columns.text] ?? '';
  }

  #finds(cells: readonly string[]): boolean {
    return this.#query === '' || this.#textOf(cells).toLowerCase().includes(this.#query);
  }

  /** Looks for a text in the rows that were read, and in those that will be. */
  async search(query: string, signal: AbortSignal): Promise<void> {
    this.#query = query.trim().toLowerCase();
    for await (const { row, cells } of this.#rowsRead(signal)) this.results.find(row, this.#finds(cells));
  }

  /** The text of a row, read again. */
  async text(row: number): Promise<string> {
    const { start, end } = this.results.at(row);
    return this.#textOf(await rowAt(this.table, start, end));
  }

  /** Rows by index as CSV, in the file's order: its own columns, then what the model says. */
  async csv(rows: Uint32Array, signal: AbortSignal): Promise<Blob> {
    const wanted = new Set(rows);
    const spans = this.results.hasSpans;
    const header = [...this.table.columns, 'predicted_label', 'predicted_score', ...(spans ? ['entities'] : [])];
    // Parts go into blobs, which need not lie in memory.
    const parts = [new Blob([csv([header])])];
    let lines: string[] = [];
    const put = () => {
      parts.push(new Blob(lines));
      lines = [];
    };
    for await (const { row, cells } of this.#rowsRead(signal)) {
      if (!wanted.has(row)) continue;
      const { label, score, spans: found } = this.results.at(row);
      const text = this.#textOf(cells);
      const list = found.map((span) => `${text.slice(span.start, span.end)} (${span.label})`).join('; ');
      const own = this.table.columns.map((_, i) => cells[i] ?? '');
      lines.push(csv([[...own, label, score, ...(spans ? [list] : [])]]));
      if (lines.length === 1000) put();
    }
    put();
    return csvBlob(parts);
  }

  async *#rowsRead(signal: AbortSignal): AsyncGenerator<{ row: number; cells: readonly string[] }> {
    const size = this.results.size;
    let row = 0;
    if (size === 0) return;
    for await (const rows of readRows(this.table, tableStart(), signal)) {
      for (const { cells } of rows) {
        yield { row: row++, cells };
        // What follows may be broken.
        if (row === size) return;
      }
    }
  }
}
