// <headlight-heatmap>: a table of weights as tints. Heads × tokens of one row, or tokens × tokens.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Scene, Shape } from './scene.js';
import { tokenName } from './segments.js';
import { fill, formatWeight, type NumberFormat } from './text-format.js';
import { styles } from './headlight-heatmap.styles.js';
import { palette, rgb, type Colors } from './theme.js';
import { ViewElement, gridMove, type Cell, type Place } from './view-element.js';

/** The pointer, or the cell that the arrow keys moved to; null: left. */
export type CellEvent = CustomEvent<(Place & { value: number }) | null>;
/** A cell was clicked, or chosen by Enter or Space. */
export type CellChooseEvent = CustomEvent<Place & { value: number }>;

export interface HeatmapStrings {
  table: string;
  /** The table of a large map holds one row at a time. */
  tableRow: string;
  cell: string;
  /** In place of the value of a cell that has none. */
  none: string;
  empty: string;
}

const english: HeatmapStrings = {
  table: 'As a table',
  tableRow: 'Row {row}. Choose another with the arrow keys in the map.',
  cell: '{row} · {column}: {value}',
  none: 'none',
  empty: 'Point at a cell, or use the arrow keys.',
};

/** Pixels of a cell's side where some have a dash, odd so that it stands in the middle; where a canvas has room for it. */
const DASHED = 11;
const WIDEST = 8192;
/** Cells above this many are not all written into the table. */
const TABLE_CELLS = 4000;

/**
 * A matrix of values, one pixel or more a cell.
 * 
 * @customElement headlight-heatmap
 * @property values       row-major [rows, columns]; NaN: the cell has no value; a dash stands in it, and it cannot be chosen
 * @property rows         names of the rows
 * @property columns      names of the columns
 * @property rowTitle     what rows are
 * @property columnTitle  what columns are
 * @property max          the value of a full tint; null: the largest
 * @property format       how a value is written: 'percent' or 'number'
 * @property selected     index of the row that is marked, or null
 * @fires {CustomEvent<{ row: number, column: number, value: number } | null>} headlight-cell - the pointer or the cursor is on a cell, or left (null)
 * @fires {CustomEvent<{ row: number, column: number, value: number }>} headlight-choose-cell - a cell was chosen
 * @csspart map      the cells
 * @csspart readout  the cell that is told of
 * @csspart legend   what the tints mean
 * @csspart caption  what the picture shows
 * @cssprop --headlight-cell-min    least width of a cell
 * @cssprop --headlight-cell-max    most width of a cell
 * @cssprop --headlight-map-height  the most height that the map takes
 */
export class HeadlightHeatmap extends ViewElement<HeatmapStrings> {
  static override properties = {
    values: { attribute: false },
    rows: { attribute: false },
    columns: { attribute: false },
    rowTitle: { type: String, attribute: 'row-title' },
    columnTitle: { type: String, attribute: 'column-title' },
    max: { type: Number },
    format: { type: String },
    selected: { type: Number },
    cursor: { state: true },
    pointed: { state: true },
  };

  declare values: Float32Array;
  declare rows: readonly string[];
  declare columns: readonly string[];
  declare rowTitle: string;
  declare columnTitle: string;
  declare max: number | null;
  declare format: NumberFormat;
  declare selected: number | null;
  /** Where the arrow keys stand. */
  declare private cursor: Place;
  /** What the readout tells: the pointer's cell or the cursor's. */
  declare private pointed: Place | null;

  protected readonly english = english;
  /** Whether there are negative values. */
  private signed = false;

  constructor() {
    super();
    this.values = new Float32Array(0);
    this.rows = [];
    this.columns = [];
    this.rowTitle = '';
    this.columnTitle = '';
    this.max = null;
    this.format = 'number';
    this.selected = null;
    this.cursor = { row: 0, column: 0 };
    this.pointed = null;
  }

  private get full(): number {
    return this.max ?? (this.values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0) || 1);
  }

  /** Where the scale begins: at the negative of its end where there are negative values. */
  private get least(): number {
    return this.signed ? -this.full : 0;
  }

  private valueAt(row: number, column: number): number {
    return this.values[row * this.columns.length + column] ?? 0;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('values')) this.signed = this.values.some((value) => value < 0);
    const clamp = (place: Place) => ({
      row: Math.min(place.row, Math.max(0, this.rows.length - 1)),
      column: Math.min(place.column, Math.max(0, this.columns.length - 1)),
    });
    this.cursor = clamp(this.cursor);
    if (this.pointed) this.pointed = clamp(this.pointed);
  }

  private written(value: number): string {
    return Number.isNaN(value) ? this.say.none : formatWeight(value, this.format);
  }

  private cellText({ row, column }: Place): string {
    return fill(this.say.cell, {
      row: this.rows[row] ?? '',
      column: tokenName(this.columns[column] ?? ''),
      value: this.written(this.valueAt(row, column)),
    });
  }

  protected override render(): TemplateResult {
    const { cursor, pointed } = this;
    const shown = pointed ?? null;
    return html`
      <div class="scroll-map">
        <div
          part="map"
          class="map"
          role="grid"
          aria-label=${this.caption || `${this.rowTitle} × ${this.columnTitle}`}
          aria-rowcount=${this.rows.length}
          aria-colcount=${this.columns.length}
        >
          <div class="columns" aria-hidden="true">
            ${this.columns.map((name) => html`<span class=${turn(name)}><bdi>${tokenName(name)}</bdi></span>`)}
          </div>
          <div class="rows" aria-hidden="true">
            ${this.rows.map((name, i) => {
              const marked = i === this.selected ? 'selected' : '';
              return html`<span class=${marked}><bdi>${tokenName(name)}</bdi></span>`;
            })}
          </div>
          <div class="cells" role="row" aria-rowindex=${cursor.row + 1}>
            <div
              class="cursor-cell"
              role="gridcell"
              tabindex="0"
              aria-colindex=${cursor.column + 1}
              aria-label=${this.cellText(cursor)}
              @keydown=${this.onKey}
              @pointermove=${this.onMove}
              @pointerdown=${this.onMove}
              @pointerleave=${this.onLeave}
              @focus=${this.onFocus}
              @blur=${this.onLeave}
              @click=${this.onClick}
            >
              <canvas aria-hidden="true"></canvas>
              <span class="selected-row" ?hidden=${this.selected === null}></span>
              <span class="cursor" ?hidden=${shown === null}></span>
            </div>
          </div>
        </div>
      </div>
      <div class="foot">
        <span part="legend" class="legend" aria-hidden="true">
          <span>${formatWeight(this.least, this.format)}</span>
          <span class=${this.signed ? 'ramp signed' : 'ramp'}></span>
          <span>${formatWeight(this.full, this.format)}</span>
        </span>
        <output part="readout" aria-live="polite">
          <bdi>${shown ? this.cellText(shown) : this.say.empty}</bdi>
        </output>
        ${this.caption ? html`<bdi part="caption">${this.caption}</bdi>` : nothing}
        ${this.renderTools(() => this.renderTable())}
      </div>
    `;
  }

  // Tokens down and rows across where there are few rows: a page is tall.
  private renderTable(): TemplateResult {
    const all = this.values.length <= TABLE_CELLS;
    const rows = all ? this.rows.map((_, i) => i) : [this.cursor.row];
    const note = fill(this.say.tableRow, { row: this.rows[this.cursor.row] ?? '' });
    return html`${all ? nothing : html`<p class="note">${note}</p>`}
      <div class="scroll" tabindex="0" role="group" aria-label=${this.say.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">${this.columnTitle}</th>
              ${rows.map((r) => html`<th scope="col" class="number"><bdi>${tokenName(this.rows[r]!)}</bdi></th>`)}
            </tr>
          </thead>
          <tbody>
            ${this.columns.map(
              (name, c) => html`<tr>
                <th scope="row"><bdi>${tokenName(name)}</bdi></th>
                ${rows.map((r) => html`<td class="number">${this.written(this.valueAt(r, c))}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.style.setProperty('--_rows', String(Math.max(1, this.rows.length)));
    this.style.setProperty('--_columns', String(Math.max(1, this.columns.length)));
    this.style.setProperty('--_letters', String(Math.max(0, ...this.rows.map((name) => lettersOf(tokenName(name))))));
    if (changed.has('values') || changed.has('rows') || changed.has('columns') || changed.has('max'))
      this.draw();
    const place = (selector: string, row: number, column: number) => {
      const mark = this.renderRoot.querySelector<HTMLElement>(selector)!;
      mark.style.setProperty('--row', String(row));
      mark.style.setProperty('--column', String(column));
    };
    if (this.pointed) place('.cursor', this.pointed.row, this.pointed.column);
    if (this.selected !== null) place('.selected-row', this.selected, 0);
  }

  // One pixel a cell; CSS makes the pixels large. A dash needs several.
  protected override draw(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const { colors } = this;
    if (!canvas || !colors) return;
    const dashes = this.values.some(Number.isNaN) && this.columns.length * DASHED <= WIDEST;
    const side = dashes ? DASHED : 1;
    canvas.width = Math.max(1, this.columns.length * side);
    canvas.height = Math.max(1, this.rows.length * side);
    if (this.values.length !== this.rows.length * this.columns.length || this.values.length === 0) return;
    const positive = rgb(colors.forMark);
    const negative = rgb(colors.againstMark);
    const quiet = rgb(colors.quiet);
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(canvas.width, canvas.height);
    const { full } = this;
    const inDash = (x: number, y: number) => y % side === side >> 1 && x % side >= side * 0.3 && x % side < side * 0.7;
    const colorAt = (value: number, x: number, y: number) => {
      if (Number.isNaN(value)) return [...quiet, !dashes ? 60 : inDash(x, y) ? 255 : 0];
      const strength = Math.min(1, Math.abs(value) / full);
      return [...(value < 0 ? negative : positive), Math.round(strength * 255)];
    };
    for (let y = 0; y < canvas.height; y++) {
      for (let x = 0; x < canvas.width; x++) {
        const value = this.valueAt(Math.floor(y / side), Math.floor(x / side));
        image.data.set(colorAt(value, x, y), (y * canvas.width + x) * 4);
      }
    }
    context.putImageData(image, 0, 0);
  }

  // ---------------------------------------------------------------------------------------------
  // Pointer and keys

  private emitCell(type: string, place: Place | null): void {
    this.emit(type, place && { ...place, value: this.valueAt(place.row, place.column) });
  }

  private placeOf(event: PointerEvent | MouseEvent): Place | null {
    const box = this.renderRoot.querySelector('canvas')!.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.columns.length);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.rows.length);
    const inside = row >= 0 && row < this.rows.length && column >= 0 && column < this.columns.length;
    return inside ? { row, column } : null;
  }

  private onMove(event: PointerEvent): void {
    const place = this.placeOf(event);
    if (!place || (this.pointed?.row === place.row && this.pointed.column === place.column)) return;
    this.pointed = place;
    this.emitCell('headlight-cell', place);
  }

  private onLeave(): void {
    this.pointed = null;
    this.emitCell('headlight-cell', null);
  }

  private onFocus(): void {
    this.moveCursor(this.cursor);
  }

  private onClick(event: MouseEvent): void {
    const place = this.placeOf(event);
    if (!place) return;
    this.moveCursor(place);
    this.choose(place);
  }

  private choose(place: Place): void {
    if (!Number.isNaN(this.valueAt(place.row, place.column))) this.emitCell('headlight-choose-cell', place);
  }

  private moveCursor(place: Place): void {
    this.cursor = this.pointed = place;
    this.emitCell('headlight-cell', place);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const move = gridMove(event, this.cursor, { row: this.rows.length, column: this.columns.length });
    if (move) {
      this.moveCursor(move);
      this.updateComplete.then(() =>
        this.renderRoot.querySelector('.cursor')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
      );
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---------------------------------------------------------------------------------------------
  // Files

  /** a row a line after the columns' names, full float32 precision; empty where there is no value. */
  override toRows(): Cell[][] {
    const cell = (value: number): Cell => (Number.isNaN(value) ? '' : value);
    const lines = this.rows.map((name, r) => [name, ...this.columns.map((_, c) => cell(this.valueAt(r, c)))]);
    return [[this.rowTitle, ...this.columns], ...lines];
  }

  protected override litColumns(): number[] {
    return this.columns.map((_, i) => i + 1);
  }

  protected override scene(colors: Colors): Scene {
    const family = getComputedStyle(this).fontFamily;
    const cell = 18;
    const left = 20 + 8 * Math.min(LETTERS, Math.max(1, ...this.rows.map((name) => name.length)));
    const top = 20 + 8 * Math.min(LETTERS, Math.max(1, ...this.columns.map((name) => name.length)));
    const shapes: Shape[] = [];
    const text = (x: number, y: number, value: string, more: { anchor?: 'end'; upwards?: boolean } = {}) =>
      shapes.push({
        kind: 'text',
        x,
        y,
        text: shorten(tokenName(value)),
        size: 12,
        family,
        fill: colors.ink,
        ...more,
      });
    this.columns.forEach((name, c) => text(left + c * cell + 13, top - 6, name, { upwards: true }));
    this.rows.forEach((name, r) => text(left - 8, top + r * cell + 13, name, { anchor: 'end' }));
    const { full } = this;
    let dashes = '';
    this.values.forEach((value, i) => {
      const x = left + (i % this.columns.length) * cell;
      const y = top + Math.floor(i / this.columns.length) * cell;
      if (Number.isNaN(value)) dashes += `M${x + 5} ${y + cell / 2}h${cell - 10}`;
      const strength = Math.min(1, Math.abs(value) / full);
      if (!(strength >= 0.004)) return;
      shapes.push({
        kind: 'rect',
        x,
        y,
        width: cell,
        height: cell,
        fill: value < 0 ? colors.againstMark : colors.forMark,
        opacity: strength,
      });
    });
    if (dashes) shapes.push({ kind: 'path', d: dashes, stroke: colors.quiet, width: 1, opacity: 1 });
    const bottom = top + this.rows.length * cell;
    const range = `${formatWeight(this.least, this.format)} – ${formatWeight(full, this.format)}`;
    shapes.push({
      kind: 'text',
      x: left,
      y: bottom + 26,
      text: [this.caption, range].filter(Boolean).join(' · '),
      size: 13,
      family,
      fill: colors.quiet,
    });
    return {
      width: Math.max(left + this.columns.length * cell + 20, left + 8 * this.caption.length),
      height: bottom + 44,
      background: colors.paper,
      title: this.caption || `${this.rowTitle} × ${this.columnTitle}`,
      shapes,
    };
  }

  static override styles = [palette, styles];
}

/** How a column's name is set: short ones level, Chinese and the like downwards, others to be read upwards. */
const turn = (name: string): 'level' | 'down' | 'up' =>
  [...name].length < 3 ? 'level' : wide.test(name) ? 'down' : 'up';

/** Long names would push the map away. */
const shorten = (name: string): string => {
  const letters = [...name];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join('')}…` : name;
};

/** Of a name at most: 'layer 12, head 12' is whole. */
const LETTERS = 20;

const wide = /[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff]/;

/** How long a name is, wide letters as two. */
const lettersOf = (name: string): number => [...name].reduce((sum, letter) => sum + (wide.test(letter) ? 2 : 1), 0);

declare global {
  interface HTMLElementTagNameMap {
    'headlight-heatmap': HeadlightHeatmap;
  }
  interface HTMLElementEventMap {
    'headlight-cell': CellEvent;
    'headlight-choose-cell': CellChooseEvent;
  }
}
