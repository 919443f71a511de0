// <headlight-links>: who looks at whom in one layer, as lines between two columns of tokens; a colour a head.

import { html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import type { AttendedToken } from '../types.js';
import { headsOf, pieceGroups, type AttentionMaps, type Choice } from './derive.js';
import { headMaps, meanLinks, strongestLinks, type Link } from './links.js';
import { styles } from './headlight-links.styles.js';
import type { Scene, Shape } from './scene.js';
import { isSpecial, tokenName } from './segments.js';
import { setStyle } from './set-style.js';
import { fill, formatWeight } from './text-format.js';
import { headColor, isDark, palette, type Colors } from './theme.js';
import { ViewElement, type Cell } from './view-element.js';

/** Which heads are drawn now, by index. */
export type ShownHeadsEvent = CustomEvent<{ heads: number[] }>;

export interface LinksStrings {
  looks: string;
  lookedAt: string;
  heads: string;
  head: string;
  /** {head} is its name. */
  pruned: string;
  from: string;
  to: string;
  empty: string;
  table: string;
  weight: string;
  token: string;
  pairs: string;
  all: string;
  /** One text of a pair to another; {from} and {to} are their numbers. */
  between: string;
}

const english: LinksStrings = {
  looks: 'Tokens that look',
  lookedAt: 'Tokens that are looked at',
  heads: 'Heads',
  head: 'Head {head}',
  pruned: '{head}, pruned',
  from: '{token} looks at {others}',
  to: '{token} is looked at by {others}',
  empty: 'Point at a token, or use the arrow keys.',
  table: 'As a table',
  weight: 'Weight',
  token: 'Token',
  pairs: 'Lines',
  all: 'all',
  between: 'text {from} → text {to}',
};

type Side = 'from' | 'to';
interface Spot {
  side: Side;
  index: number;
}

const ROW = 24;
/** Lines of like strength share a path, so that a long text has few nodes. */
const LEVELS = 8;
/** CSS pixels. */
const lineWidth = (strength: number): number => 0.75 + strength * 1.75;
/** How many others a sentence names. */
const TOLD = 3;
const TABLE_ROWS = 50;

/**
 * Lines between tokens, by head. Heads that the layer lacks, since they were pruned, cannot be picked.
 * 
 * @customElement headlight-links
 * @property maps    attention of all heads (`mapsOf`), or null
 * @property tokens  what stands in the columns: `AttentionResult.tokens`, or `words` with `groups`
 * @property groups  token indices of each entry of `tokens` (`wordGroups`); null: one each
 * @property layer   which layer is drawn, from 0; 'all': the mean over layers
 * @property head    which heads are drawn at first: one, or 'all'
 * @property special whether special tokens are drawn; they take most of the light
 * @property query   index of the entry that is locked, or null
 * @fires {CustomEvent<{ index: number | null, tokens: number[] }>} headlight-query - a token that looks was chosen, or let go (null)
 * @fires {CustomEvent<{ heads: number[] }>} headlight-shown-heads - other heads are drawn
 * @csspart heads    the numbers that pick heads out
 * @csspart links    both columns and the lines
 * @csspart token    a token
 * @csspart locked   the token that is locked
 * @csspart readout  says what is drawn
 * @csspart caption  what the picture shows
 * @cssprop --headlight-map-height  the most height that the picture takes
 */
export class HeadlightLinks extends ViewElement<LinksStrings> {
  static override properties = {
    maps: { attribute: false },
    tokens: { attribute: false },
    groups: { attribute: false },
    layer: { attribute: false },
    head: { attribute: false },
    special: { type: Boolean },
    query: { type: Number },
    picked: { state: true },
    pair: { state: true },
    spot: { state: true },
  };

  declare maps: AttentionMaps | null;
  declare tokens: readonly AttendedToken[];
  declare groups: readonly (readonly number[])[] | null;
  declare layer: Choice;
  declare head: Choice;
  declare special: boolean;
  declare query: number | null;
  /** Heads that are drawn where the layer has them. */
  declare private picked: readonly number[];
  /** Texts of a pair that lines are drawn between, '0-1' for instance; null: all. */
  declare private pair: string | null;
  /** Where the pointer or the focus is. */
  declare private spot: Spot | null;

  protected readonly english = english;
  private entries: { token: AttendedToken; tokens: readonly number[] }[] = [];
  private perHead: Float32Array[] = [];
  private links: Link[] = [];

  constructor() {
    super();
    this.maps = null;
    this.tokens = [];
    this.groups = null;
    this.layer = 0;
    this.head = 'all';
    this.special = false;
    this.query = null;
    this.picked = [];
    this.pair = null;
    this.spot = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const texts = changed.has('maps') || changed.has('tokens') || changed.has('groups') || changed.has('special');
    if (texts) {
      const groups = this.groups ?? pieceGroups(this.tokens);
      this.entries = this.tokens.flatMap((token, i) =>
        this.special || !isSpecial(token) ? [{ token, tokens: groups[i] ?? [] }] : [],
      );
      this.spot = null;
      if (!this.hasPair) this.pair = null;
    }
    if (changed.has('maps') || changed.has('head')) this.picked = this.chosenHeads();
    if (texts || changed.has('layer')) {
      const groups = this.entries.map(({ tokens }) => tokens);
      this.perHead = this.maps ? headMaps(this.maps, this.layer, groups) : [];
    }
    const [queries, keys] = this.ends();
    this.links = strongestLinks(this.perHead, this.shown, this.entries.length, queries, keys);
  }

  private chosenHeads(): number[] {
    return this.head === 'all' ? Array.from({ length: this.maps?.heads ?? 0 }, (_, head) => head) : [this.head];
  }

  /** Those that the layer has. */
  private get heads(): number[] {
    return this.maps ? headsOf(this.maps, this.layer) : [];
  }

  /** Heads that are drawn; where the layer has none of those that were picked, all of them. */
  private get shown(): number[] {
    const { heads } = this;
    const shown = heads.filter((head) => this.picked.includes(head));
    return shown.length > 0 ? shown : heads;
  }

  private get hasPair(): boolean {
    return this.tokens.some(({ sequenceId }) => sequenceId === 1);
  }

  /** The entry that is locked, by its place in the columns; null: none. */
  private get locked(): number | null {
    if (this.query === null) return null;
    const token = this.tokens[this.query];
    const index = this.entries.findIndex((entry) => entry.token === token);
    return index < 0 ? null : index;
  }

  /** What is told of: under the pointer or the focus, or locked. */
  private get told(): Spot | null {
    const { spot, locked } = this;
    if (spot && spot.index < this.entries.length) return spot;
    return locked === null ? null : { side: 'from', index: locked };
  }

  /** The entries that lines are drawn from, and to. */
  private ends(): [number[], number[]] {
    const { told, pair } = this;
    const ends = (side: Side, text: number) => {
      const all = told?.side === side ? [told.index] : this.entries.map((_, index) => index);
      return pair === null ? all : all.filter((index) => this.entries[index]!.token.sequenceId === text);
    };
    const [from, to] = (pair ?? '').split('-').map(Number) as [number, number];
    return [ends('from', from), ends('to', to)];
  }

  private name(index: number): string {
    return tokenName(this.entries[index]!.token.text);
  }

  /** The other entries by what the told one pays them, or gets from them; the largest first. */
  private others({ side, index }: Spot): { index: number; weight: number }[] {
    const weights = meanLinks(this.perHead, this.shown, this.entries.length, index, side);
    return [...weights]
      .map((weight, other) => ({ index: other, weight }))
      .sort((a, b) => b.weight - a.weight);
  }

  private sentence(spot: Spot): string {
    const others = this.others(spot)
      .slice(0, TOLD)
      .map(({ index, weight }) => `${this.name(index)} ${formatWeight(weight, 'percent')}`);
    return fill(this.say[spot.side], { token: this.name(spot.index), others: others.join(', ') });
  }

  protected override render(): TemplateResult {
    const { told, heads, shown } = this;
    return html`
      <div class="bar">
        <div part="heads" class="heads" role="group" aria-label=${this.say.heads} @click=${this.onHead}>
          ${Array.from(
            { length: this.maps?.heads ?? 0 },
            (_, head) => {
              const there = heads.includes(head);
              const name = fill(this.say.head, { head: head + 1 });
              const label = there ? name : fill(this.say.pruned, { head: name });
              return html`<button
                type="button"
                data-head=${head}
                ${setStyle({ '--_head': headColor(head, this.maps!.heads) })}
                ?disabled=${!there}
                title=${there ? nothing : label}
                aria-label=${label}
                aria-pressed=${shown.includes(head) ? 'true' : 'false'}
              >
                ${head + 1}
              </button>`;
            },
          )}
        </div>
        ${this.hasPair ? this.renderPairs() : nothing}
      </div>
      <div part="links" class="links" @pointerleave=${this.onLeave} @focusout=${this.onLeave}>
        <div class="stage" ${setStyle({ height: `${this.entries.length * ROW}px` })}>
          ${this.renderColumn('from', told)}
          <div class="between"><svg preserveAspectRatio="none" viewBox="0 0 100 ${Math.max(1, this.entries.length * ROW)}" aria-hidden="true">${this.renderLines()}</svg></div>
          ${this.renderColumn('to', told)}
        </div>
      </div>
      <div class="foot">
        <output part="readout" aria-live="polite"><bdi>${told ? this.sentence(told) : this.say.empty}</bdi></output>
        ${this.caption ? html`<bdi part="caption">${this.caption}</bdi>` : nothing}
        ${this.renderTools(() => this.renderTable())}
      </div>
    `;
  }

  private renderPairs(): TemplateResult {
    const onChange = (event: Event) => (this.pair = (event.target as HTMLSelectElement).value || null);
    const choices = ['0-0', '0-1', '1-0', '1-1'].map((value) => {
      const [from, to] = value.split('-').map((text) => Number(text) + 1);
      return html`<option value=${value} ?selected=${value === this.pair}>
        ${fill(this.say.between, { from: from!, to: to! })}
      </option>`;
    });
    return html`<label
      >${this.say.pairs}
      <select @change=${onChange}>
        <option value="" ?selected=${this.pair === null}>${this.say.all}</option>
        ${choices}
      </select></label
    >`;
  }

  private renderColumn(side: Side, told: Spot | null): TemplateResult {
    const { locked } = this;
    const active = this.spot?.side === side ? this.spot.index : side === 'from' ? (locked ?? 0) : 0;
    const tinted = told !== null && told.side !== side;
    return html`<div
      class="column ${side}"
      role="listbox"
      aria-label=${side === 'from' ? this.say.looks : this.say.lookedAt}
      data-side=${side}
      @pointerover=${this.onOver}
      @focusin=${this.onFocus}
      @click=${this.onClick}
      @keydown=${this.onKey}
    >
      ${this.entries.map(({ token }, index) => {
        const chosen = side === 'from' && index === locked;
        const here = told?.side === side && told.index === index;
        return html`<span
          part=${chosen ? 'token locked' : 'token'}
          class=${here ? 'told' : ''}
          role="option"
          aria-selected=${chosen ? 'true' : 'false'}
          tabindex=${index === active ? 0 : -1}
          data-index=${index}
          ${setStyle({ 'background-image': tinted ? this.tint(told, index) : 'none' })}
          ><bdi>${tokenName(token.text)}</bdi></span
        >`;
      })}
    </div>`;
  }

  /** A stripe a head, as strong as its line. */
  private tint({ side, index }: Spot, other: number): string {
    const size = this.entries.length;
    const { shown } = this;
    const cell = side === 'from' ? index * size + other : other * size + index;
    const stops = shown.map((head, i) => {
      const share = Math.round(Math.min(1, this.perHead[head]![cell]!) * 100);
      const color = `color-mix(in oklab, ${headColor(head, this.maps!.heads)} ${share}%, transparent)`;
      return `${color} ${(i * 100) / shown.length}% ${((i + 1) * 100) / shown.length}%`;
    });
    return `linear-gradient(to right, ${stops.join(', ')})`;
  }

  /** Lines of a head and a strength as one path. */
  private paths(width: number, left = 0, top = 0): { head: number; strength: number; d: string }[] {
    const paths = new Map<number, { head: number; strength: number; d: string }>();
    const middle = (index: number) => top + (index + 0.5) * ROW;
    for (const { head, query, key, weight } of this.links) {
      const level = Math.max(1, Math.ceil(Math.min(1, weight) * LEVELS));
      const at = head * (LEVELS + 1) + level;
      const path = paths.get(at) ?? { head, strength: level / LEVELS, d: '' };
      const [y1, y2] = [middle(query), middle(key)];
      path.d += `M${left} ${y1}C${left + width * 0.4} ${y1} ${left + width * 0.6} ${y2} ${left + width} ${y2}`;
      paths.set(at, path);
    }
    return [...paths.values()].sort((a, b) => a.strength - b.strength);
  }

  private renderLines(): unknown[] {
    return this.paths(100).map(
      ({ head, strength, d }) =>
        svg`<path
          d=${d}
          stroke-opacity=${strength}
          stroke-width=${lineWidth(strength)}
          ${setStyle({ stroke: headColor(head, this.maps!.heads) })}
        />`,
    );
  }

  private renderTable(): TemplateResult {
    const { told } = this;
    const rows = told
      ? this.others(told).map(({ index, weight }) => ({ names: [this.name(index)], weight }))
      : [...this.links]
          .sort((a, b) => b.weight - a.weight)
          .slice(0, TABLE_ROWS)
          .map(({ head, query, key, weight }) => ({
            names: [String(head + 1), this.name(query), this.name(key)],
            weight,
          }));
    const titles = told ? [this.say.token] : [this.say.heads, this.say.looks, this.say.lookedAt];
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${this.say.table}>
      <table>
        ${told ? html`<caption><bdi>${fill(this.say[told.side], { token: this.name(told.index), others: '…' })}</bdi></caption>` : nothing}
        <thead>
          <tr>
            ${titles.map((title) => html`<th scope="col">${title}</th>`)}
            <th scope="col" class="number">${this.say.weight}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ names, weight }) => html`<tr>
              ${names.map((name) => html`<td><bdi>${name}</bdi></td>`)}
              <td class="number">${formatWeight(weight, 'percent')}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  // ---------------------------------------------------------------------------------------------
  // Pointer and keys

  private spotOf(event: Event): Spot | null {
    const token = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    const column = token?.closest<HTMLElement>('[data-side]');
    return column ? { side: column.dataset['side'] as Side, index: Number(token!.dataset['index']) } : null;
  }

  private onOver(event: PointerEvent): void {
    const spot = this.spotOf(event);
    if (spot && (spot.side !== this.spot?.side || spot.index !== this.spot.index)) this.spot = spot;
  }

  private onFocus(event: FocusEvent): void {
    if ((event.target as HTMLElement).matches(':focus-visible')) this.spot = this.spotOf(event);
  }

  private onLeave(): void {
    this.spot = null;
  }

  private onClick(event: MouseEvent): void {
    const spot = this.spotOf(event);
    if (spot?.side === 'from') this.choose(spot.index === this.locked ? null : spot.index);
  }

  private choose(entry: number | null): void {
    const chosen = entry === null ? null : this.entries[entry]!;
    this.query = chosen && this.tokens.indexOf(chosen.token);
    this.emit('headlight-query', { index: chosen?.tokens[0] ?? null, tokens: [...(chosen?.tokens ?? [])] });
  }

  private onKey(event: KeyboardEvent): void {
    const spot = this.spotOf(event);
    if (!spot || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.entries.length - 1;
    const { side, index } = spot;
    const moves: Record<string, Spot> = {
      ArrowUp: { side, index: index - 1 },
      ArrowDown: { side, index: index + 1 },
      ArrowLeft: { side: 'from', index },
      ArrowRight: { side: 'to', index },
      Home: { side, index: 0 },
      End: { side, index: last },
    };
    const move = moves[event.key];
    if (move) {
      const to = Math.max(0, Math.min(last, move.index));
      this.renderRoot
        .querySelector<HTMLElement>(`[data-side="${move.side}"] [data-index="${to}"]`)
        ?.focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && side === 'from') {
      this.choose(index === this.locked ? null : index);
    } else if (event.key === 'Escape') {
      this.choose(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Where all heads are drawn, one is picked out; otherwise it comes or goes, and the last to go brings all back. */
  private onHead(event: MouseEvent): void {
    const button = (event.target as HTMLElement).closest<HTMLElement>('[data-head]');
    if (!button) return;
    const head = Number(button.dataset['head']);
    const { heads, shown } = this;
    const kept = heads.filter((i) => shown.includes(i) !== (i === head));
    if (shown.length === heads.length) this.picked = [head];
    else this.picked = kept.length === 0 ? heads : kept;
    this.emit('headlight-shown-heads', { heads: this.shown });
  }

  // ---------------------------------------------------------------------------------------------
  // Files

  /** the lines that are drawn; head from 1, the two tokens and their texts, weight. */
  override toRows(): Cell[][] {
    const rows = this.links.map(({ head, query, key, weight }) => [
      head + 1,
      this.entries[query]!.tokens[0]!,
      this.entries[query]!.token.text,
      this.entries[key]!.tokens[0]!,
      this.entries[key]!.token.text,
      weight,
    ]);
    return [['head', 'query', 'query text', 'key', 'key text', 'weight'], ...rows];
  }

  protected override scene(colors: Colors): Scene {
    const family = getComputedStyle(this).fontFamily;
    const [left, width, top] = [170, 220, 20];
    const dark = isDark(colors);
    const shapes: Shape[] = this.paths(width, left, top).map(({ head, strength, d }) => ({
      kind: 'path',
      d,
      stroke: headColor(head, this.maps!.heads, dark),
      width: lineWidth(strength),
      opacity: strength,
    }));
    const write = (x: number, y: number, text: string, anchor: 'start' | 'end', fill: string) =>
      shapes.push({ kind: 'text', x, y, text, size: 13, family, fill, anchor });
    this.entries.forEach((_, i) => {
      const y = top + (i + 0.5) * ROW + 4;
      write(left - 8, y, this.name(i), 'end', colors.ink);
      write(left + width + 8, y, this.name(i), 'start', colors.ink);
    });
    const bottom = top + this.entries.length * ROW + 28;
    const heads = this.shown.map((head) => head + 1).join(', ');
    write(24, bottom, [this.caption, `${this.say.heads}: ${heads}`].filter(Boolean).join(' · '), 'start', colors.quiet);
    return {
      width: 2 * left + width,
      height: bottom + 20,
      background: colors.paper,
      title: this.caption || this.say.looks,
      shapes,
    };
  }

  static override styles = [palette, styles];
}

declare global {
  interface HTMLElementTagNameMap {
    'headlight-links': HeadlightLinks;
  }
  interface HTMLElementEventMap {
    'headlight-shown-heads': ShownHeadsEvent;
  }
}
