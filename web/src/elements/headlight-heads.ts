// <headlight-heads>: every attention head as a small picture, layers down, heads across.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { isPruned, meanMap, placesOf, thumbnail, type AttentionMaps, type Choice, type HeadPlace } from './derive.js';
import type { Scene, Shape } from './scene.js';
import { fill } from './text-format.js';
import { styles } from './headlight-heads.styles.js';
import { palette, rgb, type Colors } from './theme.js';
import { ViewElement, gridMove, type Cell, type Place } from './view-element.js';

export interface HeadChoice {
  /** From 0. */
  layer: number;
  /** From 0, or the mean over all heads. */
  head: Choice;
}

/** The pointer or the focus is on a head; null: it left. */
export type HeadPreviewEvent = CustomEvent<HeadChoice | null>;
/** A head was clicked, or chosen by Enter or Space. */
export type HeadChooseEvent = CustomEvent<HeadChoice>;
/** Heads that were picked one by one, in order; none: let go. */
export type HeadMixEvent = CustomEvent<{ heads: HeadPlace[] }>;
/** A head is to be switched off, or on again. */
export type HeadSwitchEvent = CustomEvent<HeadPlace>;

export interface HeadsStrings {
  grid: string;
  layer: string;
  head: string;
  all: string;
  allShort: string;
  /** {head} is its name. */
  off: string;
  /** {head} is its name. */
  pruned: string;
  /** In the table. */
  prunedShort: string;
  table: string;
  strongest: string;
}

const english: HeadsStrings = {
  grid: 'Attention heads: layers down, heads across',
  layer: 'Layer {layer}',
  head: 'Layer {layer}, head {head}',
  all: 'Layer {layer}, all heads',
  allShort: 'all',
  off: '{head}, off',
  pruned: '{head}, pruned',
  prunedShort: 'pruned',
  table: 'As a table',
  strongest: 'Largest weight between two tokens',
};

/** Pictures are drawn on in the next frame after so many weights: those of 512 tokens would hold up the page. */
const WEIGHTS_A_FRAME = 2 ** 21;
/** A picture takes as long as so many weights, however small it is: some 16 a frame, which a phone keeps up with. */
const WEIGHTS_A_PICTURE = 2 ** 17;

/** Where a head stands in the grid. */
const cellOf = ({ layer, head }: HeadPlace): Place => ({ row: layer, column: head + 1 });

const isAt =
  ({ row, column }: Place) =>
  ({ layer, head }: HeadPlace): boolean =>
    layer === row && head === column - 1;

/** @param values a square of strengths, 0 to 1 */
function paint(canvas: HTMLCanvasElement, values: Float32Array, [r, g, b]: [number, number, number]): void {
  const side = Math.sqrt(values.length);
  canvas.width = canvas.height = Math.max(1, side);
  if (side === 0) return;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(side, side);
  values.forEach((value, i) => image.data.set([r, g, b, Math.round(value * 255)], i * 4));
  context.putImageData(image, 0, 0);
}

/**
 * A grid of small pictures, one a head. Heads that `maps.prunedHeads` names are not there: they are told as pruned, and
 * can be neither chosen nor switched.
 * 
 * @customElement headlight-heads
 * @property maps    attention of all heads (`mapsOf`), or null: an empty grid that keeps its space
 * @property keep    the tokens that are drawn, by index; null: all. Special tokens outshine the rest
 * @property layers  rows of the empty grid
 * @property heads   columns of the empty grid
 * @property off     heads that are switched off, by layer and head from 0
 * @property layer   what is chosen, from 0
 * @property head    what is chosen, from 0, or 'all'
 * @property mix     heads that are chosen together, in place of `layer` and `head` where there are any
 * @property several a click picks a head without a key held
 * @property strip   one row to swipe instead of a grid
 * @fires {CustomEvent<{ layer: number, head: number | 'all' } | null>} headlight-preview - the pointer or the focus is on a head, or left (null)
 * @fires {CustomEvent<{ layer: number, head: number | 'all' }>} headlight-choose - a head was chosen
 * @fires {CustomEvent<{ heads: { layer: number, head: number }[] }>} headlight-mix - heads were picked: with Ctrl or Meta one more or less, with Shift all to there
 * @fires {CustomEvent<{ layer: number, head: number }>} headlight-switch - Delete or Backspace asks to switch a head off or on
 * @csspart grid     the grid
 * @csspart head     a head
 * @csspart chosen   the head that is chosen
 * @csspart off      a head that is switched off
 * @csspart pruned   a head that was pruned
 * @csspart picture  a head's picture
 */
export class HeadlightHeads extends ViewElement<HeadsStrings> {
  static override properties = {
    maps: { attribute: false },
    keep: { attribute: false },
    layers: { type: Number },
    heads: { type: Number },
    layer: { attribute: false },
    head: { attribute: false },
    mix: { attribute: false },
    several: { type: Boolean },
    off: { attribute: false },
    strip: { type: Boolean, reflect: true },
    active: { state: true },
  };

  declare maps: AttentionMaps | null;
  declare keep: readonly number[] | null;
  declare layers: number;
  declare heads: number;
  declare layer: Choice;
  declare head: Choice;
  declare mix: readonly HeadPlace[];
  declare several: boolean;
  declare off: readonly HeadPlace[];
  declare strip: boolean;
  /** Row and column that Tab reaches; column 0 is the mean over all heads. */
  declare private active: Place | null;

  protected readonly english = english;
  private drawing = 0;
  /** Where a rectangle begins. */
  private picked: Place | null = null;

  constructor() {
    super();
    this.maps = null;
    this.keep = null;
    this.layers = 6;
    this.heads = 12;
    this.layer = 0;
    this.head = 'all';
    this.mix = [];
    this.several = false;
    this.off = [];
    this.strip = false;
    this.active = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.drawing);
  }

  private get size(): { rows: number; columns: number } {
    return { rows: this.maps?.layers ?? this.layers, columns: this.maps?.heads ?? this.heads };
  }

  private isOff(row: number, column: number): boolean {
    return this.off.some(isAt({ row, column })) && !this.isPruned({ row, column });
  }

  private isPruned({ row, column }: Place): boolean {
    return column > 0 && this.maps !== null && isPruned(this.maps, { layer: row, head: column - 1 });
  }

  private isChosen(row: number, column: number): boolean {
    if (this.isPruned({ row, column })) return false;
    if (this.mix.length > 0) return this.mix.some(isAt({ row, column }));
    return row === this.layer && column === (this.head === 'all' ? 0 : this.head + 1);
  }

  private nameOf(row: number, column: number): string {
    const layer = row + 1;
    if (column === 0) return fill(this.say.all, { layer });
    const name = fill(this.say.head, { layer, head: column });
    if (this.isPruned({ row, column })) return fill(this.say.pruned, { head: name });
    return this.isOff(row, column) ? fill(this.say.off, { head: name }) : name;
  }

  protected override render(): TemplateResult {
    const { rows, columns } = this.size;
    const chosenRow = this.layer === 'all' ? 0 : this.layer;
    const chosenColumn = this.head === 'all' ? 0 : this.head + 1;
    const active = this.active ?? { row: chosenRow, column: chosenColumn };
    return html`
      <div
        part="grid"
        class="grid"
        role="grid"
        aria-multiselectable="true"
        aria-label=${this.say.grid}
        @click=${this.onClick}
        @keydown=${this.onKey}
        @pointerover=${this.onOver}
        @pointerleave=${this.onLeave}
        @focusin=${this.onFocus}
        @focusout=${this.onLeave}
      >
        ${Array.from(
          { length: rows },
          (_, row) => html`<div class="row" role="row">
            <span class="name" role="rowheader"
              ><span class="short" aria-hidden="true">${row + 1}</span
              ><span class="long">${fill(this.say.layer, { layer: row + 1 })}</span></span
            >
            ${Array.from({ length: columns + 1 }, (_, column) => {
              const chosen = this.isChosen(row, column);
              const pruned = this.isPruned({ row, column });
              const off = this.isOff(row, column);
              const name = this.nameOf(row, column);
              return html`<span
                part="head${chosen ? ' chosen' : ''}${off ? ' off' : ''}${pruned ? ' pruned' : ''}"
                class="cell${column === 0 ? ' mean' : ''}${off ? ' off' : ''}${pruned ? ' pruned' : ''}"
                role="gridcell"
                aria-selected=${pruned ? nothing : chosen ? 'true' : 'false'}
                aria-disabled=${pruned ? 'true' : nothing}
                aria-label=${name}
                title=${pruned ? name : nothing}
                tabindex=${row === active.row && column === active.column ? 0 : -1}
                data-row=${row}
                data-column=${column}
                ><canvas part="picture" aria-hidden="true"></canvas
              ></span>`;
            })}
          </div>`,
        )}
      </div>
      <div class="columns" aria-hidden="true">
        <span></span><span>${this.say.allShort}</span>
        ${Array.from({ length: columns }, (_, i) => html`<span>${i + 1}</span>`)}
      </div>
      <div class="foot">${this.renderTools(() => this.renderTable())}</div>
    `;
  }

  private renderTable(): TemplateResult {
    const { rows, columns } = this.size;
    const strongest = this.strongest();
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${this.say.strongest}>
      <table>
        <caption class="sr">${this.say.strongest}</caption>
        <thead>
          <tr>
            <td></td>
            ${Array.from({ length: columns }, (_, h) => html`<th scope="col" class="number">${h + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Array.from(
            { length: rows },
            (_, l) => html`<tr>
              <th scope="row">${fill(this.say.layer, { layer: l + 1 })}</th>
              ${strongest
                .slice(l * columns, (l + 1) * columns)
                .map((most) => html`<td class="number">${most ? most.weight.toFixed(2) : this.say.prunedShort}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { rows, columns } = this.size;
    this.style.setProperty('--_columns', String(columns));
    this.style.setProperty('--_rows', String(rows));
    if (changed.has('maps') || changed.has('keep') || changed.has('layers') || changed.has('heads'))
      this.draw();
    if (this.strip && (changed.has('layer') || changed.has('head') || changed.has('strip')))
      this.showChosen();
  }

  private kept(maps: AttentionMaps): readonly number[] {
    return this.keep ?? Array.from({ length: maps.size }, (_, i) => i);
  }

  /** The small picture of a cell; column 0 is the mean over heads. */
  private picture(maps: AttentionMaps, row: number, column: number): Float32Array {
    return thumbnail(meanMap(maps, row, column === 0 ? 'all' : column - 1), maps.size, this.kept(maps));
  }

  /** Draws all pictures; those of long texts over several frames. */
  protected override draw(): void {
    cancelAnimationFrame(this.drawing);
    const { maps, colors } = this;
    if (!colors) return;
    const color = rgb(colors.forMark);
    const cells = this.renderRoot.querySelectorAll<HTMLElement>('.cell').values();
    const some = () => {
      for (let weights = 0; weights < WEIGHTS_A_FRAME; ) {
        const { value: cell, done } = cells.next();
        if (done) return;
        const column = Number(cell.dataset['column']);
        const values = maps ? this.picture(maps, Number(cell.dataset['row']), column) : new Float32Array(0);
        paint(cell.querySelector('canvas')!, values, color);
        weights += WEIGHTS_A_PICTURE + (maps ? maps.size ** 2 * (column === 0 ? maps.heads : 1) : 0);
      }
      this.drawing = requestAnimationFrame(some);
    };
    some();
  }

  private showChosen(): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('.grid');
    const cell = this.renderRoot.querySelector<HTMLElement>('.cell[aria-selected="true"]');
    if (!grid || !cell) return;
    const seen = grid.getBoundingClientRect();
    const box = cell.getBoundingClientRect();
    if (box.left < seen.left || box.right > seen.right)
      grid.scrollLeft += box.left - seen.left - seen.width / 4;
  }

  // ---------------------------------------------------------------------------------------------
  // Pointer and keys

  /** Of a head that is there, unless `any` asks for every one. */
  private placeOf(event: Event, any = false): Place | null {
    const cell = (event.target as HTMLElement).closest<HTMLElement>(any ? '.cell' : '.cell:not(.pruned)');
    return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : null;
  }

  private emitHead(type: string, place: Place): void {
    this.emit(type, { layer: place.row, head: place.column === 0 ? 'all' : place.column - 1 });
  }

  // A touch previews nothing: it scrolls, or chooses.
  private onOver(event: PointerEvent): void {
    const place = this.placeOf(event);
    if (place && event.pointerType !== 'touch') this.emitHead('headlight-preview', place);
  }

  private onFocus(event: FocusEvent): void {
    const place = this.placeOf(event);
    if (place && (event.target as HTMLElement).matches(':focus-visible'))
      this.emitHead('headlight-preview', place);
  }

  private onLeave(): void {
    this.emit('headlight-preview', null);
  }

  private onClick(event: MouseEvent): void {
    const place = this.placeOf(event);
    if (place) this.pick(place, event);
  }

  /** Chooses a head alone; with a key held, or where several are picked, together with those that are chosen. */
  private pick(place: Place, { ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): void {
    const from = this.picked ?? place;
    this.active = this.picked = place;
    const one = ctrlKey || metaKey || this.several;
    if (!one && !shiftKey) return this.emitHead('headlight-choose', place);
    const single = typeof this.layer === 'number' && typeof this.head === 'number';
    const chosen = this.mix.length > 0 || !single ? this.mix : [{ layer: this.layer, head: this.head } as HeadPlace];
    const before = chosen.filter((head) => !this.isPruned(cellOf(head)));
    const span = shiftKey ? this.between(from, place) : this.between(place, place);
    const added = span.filter((head) => !before.some(isAt(cellOf(head))));
    // What is all there already is let go.
    const left = shiftKey || added.length > 0 ? before : before.filter((head) => !span.some(isAt(cellOf(head))));
    const heads = [...left, ...added].sort((a, b) => a.layer - b.layer || a.head - b.head);
    this.emit('headlight-mix', { heads });
  }

  /** The heads of a rectangle that are there; the mean over all heads stands for all of its layer. */
  private between(a: Place, b: Place): HeadPlace[] {
    const { columns: heads, rows: layers } = this.size;
    const size = { layers, heads, prunedHeads: this.maps?.prunedHeads ?? [] };
    const whole = a.column === 0 || b.column === 0;
    const [first, last] = whole ? [1, heads] : [Math.min(a.column, b.column), Math.max(a.column, b.column)];
    const [top, bottom] = [Math.min(a.row, b.row), Math.max(a.row, b.row)];
    return placesOf(size, 'all', 'all').filter(
      ({ layer, head }) => layer >= top && layer <= bottom && head >= first - 1 && head <= last - 1,
    );
  }

  private onKey(event: KeyboardEvent): void {
    const place = this.placeOf(event, true);
    const picks = event.key === 'Enter' || event.key === ' ';
    if (!place || event.altKey || (event.metaKey && !picks)) return;
    const { rows, columns } = this.size;
    const move = gridMove(event, place, { row: rows, column: columns + 1 });
    if (move) {
      this.active = move;
      this.renderRoot
        .querySelector<HTMLElement>(`.cell[data-row="${move.row}"][data-column="${move.column}"]`)
        ?.focus();
    } else if (picks) {
      if (!this.isPruned(place)) this.pick(place, event);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && place.column > 0) {
      if (!this.isPruned(place)) this.emitHead('headlight-switch', place);
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---------------------------------------------------------------------------------------------
  // Files

  /** The largest weight of each head between kept tokens, and whose it is; by layer, then head. null: it was pruned. */
  private strongest(): ({ query: number; key: number; weight: number } | null)[] {
    const { maps } = this;
    if (!maps) return [];
    const kept = this.kept(maps);
    const area = maps.size * maps.size;
    return Array.from({ length: maps.layers * maps.heads }, (_, i) => {
      if (isPruned(maps, { layer: Math.floor(i / maps.heads), head: i % maps.heads })) return null;
      const most = { query: -1, key: -1, weight: 0 };
      for (const query of kept) {
        for (const key of kept) {
          const weight = maps.data[i * area + query * maps.size + key]!;
          if (weight > most.weight) Object.assign(most, { query, key, weight });
        }
      }
      return most;
    });
  }

  /** layer and head from 1, the largest weight between kept tokens, indices of the two; of the heads that are there. */
  override toRows(): Cell[][] {
    const { columns } = this.size;
    const rows = this.strongest().flatMap((most, i) =>
      most ? [[Math.floor(i / columns) + 1, (i % columns) + 1, most.query, most.key, most.weight]] : [],
    );
    return [['layer', 'head', 'query', 'key', 'weight'], ...rows];
  }

  protected override scene(colors: Colors): Scene {
    const family = getComputedStyle(this).fontFamily;
    const { rows, columns } = this.size;
    const side = 48;
    const pitch = side + 6;
    const left = 44;
    const top = 24;
    const shapes: Shape[] = [];
    const write = (x: number, y: number, text: string, anchor: 'middle' | 'end' | 'start') =>
      shapes.push({ kind: 'text', x, y, text, size: 12, family, fill: colors.quiet, anchor });
    for (let row = 0; row < rows; row++) {
      write(left - 10, top + row * pitch + side / 2 + 4, String(row + 1), 'end');
      for (let column = 1; column <= columns; column++) {
        const x = left + (column - 1) * pitch;
        const y = top + row * pitch;
        if (this.isPruned({ row, column })) {
          const outline = `M${x} ${y}h${side}v${side}h${-side}z`;
          const dash = `M${x + side * 0.3} ${y + side / 2}h${side * 0.4}`;
          shapes.push({ kind: 'path', d: outline + dash, stroke: colors.quiet, width: 1, opacity: 0.6 });
          continue;
        }
        shapes.push({ kind: 'rect', x, y, width: side, height: side, fill: colors.quiet, opacity: 0.08 });
        if (!this.maps) continue;
        const values = this.picture(this.maps, row, column);
        const cells = Math.sqrt(values.length);
        const cell = side / cells;
        values.forEach((value, i) => {
          if (value < 0.02) return;
          shapes.push({
            kind: 'rect',
            x: x + (i % cells) * cell,
            y: y + Math.floor(i / cells) * cell,
            width: cell,
            height: cell,
            fill: colors.forMark,
            opacity: value,
          });
        });
      }
    }
    for (let column = 1; column <= columns; column++) {
      write(left + (column - 1) * pitch + side / 2, top + rows * pitch + 12, String(column), 'middle');
    }
    write(left, top + rows * pitch + 34, this.caption || this.say.grid, 'start');
    return {
      width: left + columns * pitch + 18,
      height: top + rows * pitch + 50,
      background: colors.paper,
      title: this.caption || this.say.grid,
      shapes,
    };
  }

  static override styles = [palette, styles];
}

declare global {
  interface HTMLElementTagNameMap {
    'headlight-heads': HeadlightHeads;
  }
  interface HTMLElementEventMap {
    'headlight-preview': HeadPreviewEvent;
    'headlight-choose': HeadChooseEvent;
    'headlight-mix': HeadMixEvent;
    'headlight-switch': HeadSwitchEvent;
  }
}
