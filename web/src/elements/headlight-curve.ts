// <headlight-curve>: what is left of a probability while words are taken out of a text, beside the same by chance.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Scene, Shape } from './scene.js';
import { fill, formatWeight } from './text-format.js';
import { styles } from './headlight-curve.styles.js';
import { palette, type Colors } from './theme.js';
import { ViewElement, type Cell } from './view-element.js';

export interface CurvePoint {
  /** Share of the words that are out, 0 to 1. */
  removed: number;
  /** 0 to 1. */
  probability: number;
}

export interface CurveStrings {
  table: string;
  removed: string;
  probability: string;
  byScore: string;
  byChance: string;
  /** {removed}, {probability}, {chance} */
  point: string;
  hint: string;
}

const english: CurveStrings = {
  table: 'As a table',
  removed: 'Words taken out',
  probability: 'Probability',
  byScore: 'the highest first',
  byChance: 'by chance',
  point: 'Without {removed} of the words: {probability}; by chance {chance}',
  hint: 'Point at the curve, or use the arrow keys.',
};

const WIDTH = 420;
const HEIGHT = 200;
const LEFT = 52;
const TOP = 12;
const BOTTOM = 30;
const RIGHT = 12;
/** Height of a line of the legend in files. */
const LEGEND_ROW = 20;
const ticks = [0, 0.5, 1];

const x = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT);
const y = (probability: number): number => TOP + (1 - probability) * (HEIGHT - TOP - BOTTOM);
const path = (points: readonly CurvePoint[]): string =>
  points.map(({ removed, probability }, i) => `${i ? 'L' : 'M'}${x(removed)} ${y(probability)}`).join('');

/**
 * How a probability falls as words are taken out.
 * 
 * @customElement headlight-curve
 * @property curve   points by growing share (`Faithfulness.curve`)
 * @property chance  the same by chance, parallel to `curve` (`Faithfulness.random.curve`)
 * @csspart plot     the lines and their axes
 * @csspart readout  the point that is told of
 * @csspart legend   which line is which
 * @csspart caption  what the picture shows
 */
export class HeadlightCurve extends ViewElement<CurveStrings> {
  static override properties = {
    curve: { attribute: false },
    chance: { attribute: false },
    cursor: { state: true },
  };

  declare curve: readonly CurvePoint[];
  declare chance: readonly CurvePoint[];
  /** Index of the point that is told of, or null. */
  declare private cursor: number | null;

  protected readonly english = english;

  constructor() {
    super();
    this.curve = [];
    this.chance = [];
    this.cursor = null;
  }

  private sentence(index: number): string {
    const percent = (value: number) => formatWeight(value, 'percent');
    const { removed, probability } = this.curve[index]!;
    return fill(this.say.point, {
      removed: percent(removed),
      probability: percent(probability),
      chance: percent(this.chance[index]?.probability ?? 0),
    });
  }

  protected override render(): TemplateResult {
    const last = this.curve.length - 1;
    const cursor = this.cursor === null || last < 0 ? null : Math.min(this.cursor, last);
    return html`
      <div
        part="plot"
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${this.caption || this.say.probability}
        aria-valuemin="0"
        aria-valuemax=${Math.max(0, last)}
        aria-valuenow=${cursor ?? 0}
        aria-valuetext=${last < 0 ? nothing : this.sentence(cursor ?? 0)}
        @keydown=${this.onKey}
        @pointermove=${this.onMove}
        @pointerleave=${this.onLeave}
        @blur=${this.onLeave}
      >
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
          ${ticks.map(
            (tick) => svg`
              <line class="grid" x1=${x(0)} x2=${x(1)} y1=${y(tick)} y2=${y(tick)} />
              <text x=${LEFT - 8} y=${y(tick) + 4} text-anchor="end">${formatWeight(tick, 'percent')}</text>
              <text x=${x(tick)} y=${HEIGHT - 10} text-anchor=${anchorOf(tick)}>${formatWeight(tick, 'percent')}</text>`,
          )}
          <path class="chance" d=${path(this.chance)} />
          <path class="own" d=${path(this.curve)} />
          ${this.curve.map(
            ({ removed, probability }, i) =>
              svg`<circle class=${i === cursor ? 'told' : ''} cx=${x(removed)} cy=${y(probability)} r=${i === cursor ? 5 : 2.5} />`,
          )}
        </svg>
      </div>
      <div class="foot">
        <span part="legend" class="legend" aria-hidden="true">
          <span class="key"></span>${this.say.byScore}
          <span class="key chance"></span>${this.say.byChance}
        </span>
        <output part="readout" aria-live="polite">${cursor === null ? this.say.hint : this.sentence(cursor)}</output>
        ${this.caption ? html`<bdi part="caption">${this.caption}</bdi>` : nothing}
        ${this.renderTools(() => this.renderTable())}
      </div>
    `;
  }

  private renderTable(): TemplateResult {
    const [titles, ...rows] = this.toRows();
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${this.say.table}>
      <table>
        <thead>
          <tr>
            ${titles!.map((title) => html`<th scope="col" class="number">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`<tr>
              ${row.map((value) => html`<td class="number">${formatWeight(value as number, 'percent')}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private onKey(event: KeyboardEvent): void {
    const last = this.curve.length - 1;
    const at = this.cursor ?? 0;
    const moves: Record<string, number> = {
      ArrowRight: this.cursor === null ? 0 : at + 1,
      ArrowUp: this.cursor === null ? 0 : at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    this.cursor = Math.max(0, Math.min(last, move));
    event.preventDefault();
  }

  private onMove(event: PointerEvent): void {
    const box = this.renderRoot.querySelector('svg')!.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const distances = this.curve.map(({ removed }) => Math.abs(removed - share));
    this.cursor = distances.length === 0 ? null : distances.indexOf(Math.min(...distances));
  }

  private onLeave(): void {
    this.cursor = null;
  }

  override toRows(): Cell[][] {
    const rows = this.curve.map(({ removed, probability }, i) => [
      removed,
      probability,
      this.chance[i]?.probability ?? Number.NaN,
    ]);
    return [[this.say.removed, `${this.say.probability}, ${this.say.byScore}`, this.say.byChance], ...rows];
  }

  protected override scene(colors: Colors): Scene {
    const family = getComputedStyle(this).fontFamily;
    const shapes: Shape[] = [];
    const write = (left: number, top: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start') =>
      shapes.push({ kind: 'text', x: left, y: top, text, size: 12, family, fill: colors.quiet, anchor });
    for (const tick of ticks) {
      const line = { x: x(0), y: y(tick), width: x(1) - x(0), height: 1 };
      shapes.push({ kind: 'rect', ...line, fill: colors.quiet, opacity: 0.3 });
      write(LEFT - 8, y(tick) + 4, formatWeight(tick, 'percent'), 'end');
      write(x(tick), HEIGHT - 10, formatWeight(tick, 'percent'), anchorOf(tick));
    }
    const lines = [
      { points: this.chance, name: this.say.byChance, stroke: colors.quiet, width: 1.5, dash: [4, 4] },
      { points: this.curve, name: this.say.byScore, stroke: colors.forMark, width: 2.5 },
    ];
    lines.forEach(({ points, name, ...look }, i) => {
      const row = HEIGHT + 14 + i * LEGEND_ROW;
      for (const d of [path(points), `M${LEFT} ${row - 4}h24`]) shapes.push({ kind: 'path', d, opacity: 1, ...look });
      write(LEFT + 32, row, name);
    });
    const foot = HEIGHT + 14 + lines.length * LEGEND_ROW;
    write(LEFT, foot, [this.caption, `${this.say.removed} → ${this.say.probability}`].filter(Boolean).join(' · '));
    return {
      width: Math.max(WIDTH + 20, LEFT + 8 * this.caption.length),
      height: foot + 18,
      background: colors.paper,
      title: this.caption || this.say.probability,
      shapes,
    };
  }

  static override styles = [palette, styles];
}

const anchorOf = (tick: number): 'start' | 'middle' | 'end' => (tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle');

declare global {
  interface HTMLElementTagNameMap {
    'headlight-curve': HeadlightCurve;
  }
}
