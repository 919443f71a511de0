// What is kept of each row that was read: where it stands in the file, its label and score. Texts stay in the file.

import type { RowResult, RowSpan } from './task.js';

/** Rows at most; each takes 25 bytes, and 12 a span. */
export const MOST_ROWS = 5_000_000;

export type Order = 'file' | 'sure' | 'unsure';

export interface Filter {
  /** Index of a label, or null for all. */
  label: number | null;
  wrong: boolean;
  order: Order;
}

type Numbers = Float64Array | Float32Array | Uint32Array | Int32Array | Int16Array | Uint8Array;

/** A typed array that grows. */
class Column<Kind extends Numbers> {
  #values: Kind;
  length = 0;

  constructor(private readonly make: (length: number) => Kind) {
    this.#values = make(1024);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.make(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }
}

export class Results {
  /** Names of all labels that were met; the model's own first. */
  readonly labels: string[];
  /** [compared, compared] counts, row = the right label. */
  readonly matrix: Uint32Array;
  /** Rows whose right label is none of the model's. */
  unknown = 0;

  readonly #compared: number;
  readonly #start = new Column((n) => new Float64Array(n));
  readonly #length = new Column((n) => new Uint32Array(n));
  readonly #label = new Column((n) => new Int16Array(n));
  readonly #right = new Column((n) => new Int16Array(n));
  readonly #score = new Column((n) => new Float32Array(n));
  readonly #found = new Column((n) => new Uint8Array(n));
  readonly #firstSpan = new Column((n) => new Uint32Array(n));
  readonly #spans = new Column((n) => new Int32Array(n));
  readonly #counts: number[];
  readonly #indices: Map<string, number>;

  /** @param labels those that right answers are compared with */
  constructor(labels: readonly string[]) {
    this.labels = [...labels];
    this.#compared = labels.length;
    this.#counts = labels.map(() => 0);
    this.#indices = new Map(labels.map((label, i) => [label, i]));
    this.matrix = new Uint32Array(labels.length ** 2);
    this.#firstSpan.push(0);
  }

  get size(): number {
    return this.#start.length;
  }

  get hasSpans(): boolean {
    return this.#spans.length > 0;
  }

  /**
   * @param right index of the right label; -1: none is told; -2: it is none of the model's
   * @param found whether the search finds it
   */
  push({ start, end }: { start: number; end: number }, result: RowResult, right: number, found: boolean): void {
    const label = this.#indexOf(result.label);
    this.#start.push(start);
    this.#length.push(end - start);
    this.#label.push(label);
    this.#right.push(right);
    this.#score.push(result.score);
    this.#found.push(found ? 1 : 0);
    for (const span of result.spans) {
      for (const value of [span.start, span.end, this.#indexOf(span.label)]) this.#spans.push(value);
    }
    this.#firstSpan.push(this.#spans.length);
    this.#counts[label]!++;
    if (right === -2) this.unknown++;
    if (right >= 0 && label < this.#compared) this.matrix[right * this.#compared + label]!++;
  }

  #indexOf(label: string): number {
    const known = this.#indices.get(label);
    if (known !== undefined) return known;
    // Combinations without end are counted together.
    if (this.labels.length === 32_000) return 31_999;
    this.#indices.set(label, this.labels.length);
    this.labels.push(label);
    this.#counts.push(0);
    return this.labels.length - 1;
  }

  /** Rows by label, most first; spans' own labels have none. */
  counts(): { label: number; count: number }[] {
    return this.#counts
      .map((count, label) => ({ label, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
  }

  at(row: number): { start: number; end: number; label: string; right: number; score: number; spans: RowSpan[] } {
    const start = this.#start.at(row);
    const spans: RowSpan[] = [];
    for (let i = this.#firstSpan.at(row); i < this.#firstSpan.at(row + 1); i += 3) {
      spans.push({ start: this.#spans.at(i), end: this.#spans.at(i + 1), label: this.labels[this.#spans.at(i + 2)]! });
    }
    return {
      start,
      end: start + this.#length.at(row),
      label: this.labels[this.#label.at(row)]!,
      right: this.#right.at(row),
      score: this.#score.at(row),
      spans,
    };
  }

  /** As the matrix counts: a row that has no answer is not wrong. */
  isWrong(row: number): boolean {
    const right = this.#right.at(row);
    const label = this.#label.at(row);
    return right >= 0 && label < this.#compared && right !== label;
  }

  find(row: number, found: boolean): void {
    this.#found.set(row, found ? 1 : 0);
  }

  /** Indices of the rows to show, in their order. */
  select({ label, wrong, order }: Filter): Uint32Array {
    const rows = new Uint32Array(this.size);
    let count = 0;
    for (let row = 0; row < this.size; row++) {
      if (this.#found.at(row) === 0) continue;
      if (label !== null && this.#label.at(row) !== label) continue;
      if (wrong && !this.isWrong(row)) continue;
      rows[count++] = row;
    }
    const selected = rows.subarray(0, count);
    const sign = order === 'sure' ? -1 : 1;
    return order === 'file'
      ? selected
      : selected.sort((a, b) => sign * (this.#score.at(a) - this.#score.at(b)) || a - b);
  }
}
