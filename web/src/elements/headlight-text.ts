// <headlight-text>: a text, lit token by token.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { AttendedToken } from '../types.js';
import type { Scene, Shape } from './scene.js';
import { isSpecial, segment, tokenName, type Segment } from './segments.js';
import { styles } from './headlight-text.styles.js';
import { fill, formatWeight, type NumberFormat } from './text-format.js';
import { palette, type Colors } from './theme.js';
import { ViewElement, type Cell } from './view-element.js';

/** A token was chosen to be the one that looks; null: none, the default. `moved`: the arrow keys went there. */
export type QueryEvent = CustomEvent<{ index: number | null; tokens: number[]; moved?: boolean }>;
/** The arrow keys ask for the layer or head before (-1) or after (1). */
export type StepEvent = CustomEvent<{ axis: 'layer' | 'head'; by: -1 | 1 }>;
/** The pointer or the focus is on a token; null: left. */
export type TokenEvent = CustomEvent<{ index: number | null; tokens: number[] }>;

/** What the element says; `{…}` are places that it fills. */
export interface TextStrings {
  /** Names the list of tokens for screen readers. */
  tokens: string;
  took: string;
  table: string;
  token: string;
  weight: string;
  notRead: string;
  tokenLabel: string;
  /** Shows the rest of what was not read; {n} characters. */
  more: string;
}

const english: TextStrings = {
  tokens: 'Tokens. Arrow keys choose the one that looks.',
  took: '{token} took {share}',
  table: 'As a table',
  token: 'Token',
  weight: 'Weight',
  notRead: 'Not read: the text is longer than the model takes.',
  tokenLabel: '{token}, {weight}',
  more: 'Show {n} more characters',
};

/** A run of the text that is lit, or a special token. */
interface Item {
  name: string;
  tokens: number[];
  weight: number;
}

/** Strengths below it show no underline: a hair would be drawn as a whole pixel. */
const FAINT = 0.06;
const UNDERLINE = 5;
/** Longer texts change their light at once: hundreds of transitions would not keep up with the pointer. */
const FEW = 120;
/** What was not read is folded beyond so many characters: laying out a whole book would hold up the page. */
const UNFOLDED = 1000;

/** What is shown of a text that was not read. */
const fold = (rest: string): string =>
  rest.length <= UNFOLDED ? rest : rest.slice(0, UNFOLDED / 2).replace(/[\ud800-\udbff]$/, '');

/**
 * A text, lit token by token.
 * 
 * @customElement headlight-text
 * @property text      the original text
 * @property textPair  of a pair, the other text
 * @property tokens    `AttentionResult.tokens`, or `words`
 * @property weights   one a token; positive ones light in amber, negative ones in blue
 * @property shares    what each special token is said to have taken, 0 to 1; default: its weight, as `format` has it
 * @property max       the weight of full light; null: the largest among the tokens of the text
 * @property signed    the scale has both signs, whatever the weights are
 * @property query     index of the token that looks
 * @property pieces    shows the pieces of words; otherwise their weights are merged by `merge`
 * @property merge     'sum' (attention: what all pieces took), 'mean' or 'max'
 * @property format    how a weight is written: 'percent' or 'number'
 * @property cut       UTF-16 index from which on the text was not read; null: all was read
 * @property cutPair   the same of the other text
 * @property lines     draws a line from the token that looks to each that it lights
 * @property caption   what the light means: method, layer, head; stands in the legend and in files
 * @fires {CustomEvent<{ index: number | null, tokens: number[] }>} headlight-query - a token was clicked or chosen by the arrow keys; Escape gives null
 * @fires {CustomEvent<{ index: number | null, tokens: number[] }>} headlight-token - the pointer or the focus is on a token, or left (null)
 * @fires {CustomEvent<{ axis: 'layer' | 'head', by: -1 | 1 }>} headlight-step - Shift with left or right asks for another head, up or down for another layer
 * @csspart text      a paragraph
 * @csspart token     a lit run of the text
 * @csspart special   a special token, at the foot
 * @csspart query     the token that looks
 * @csspart cut       what was not read
 * @csspart cut-note  says so
 * @csspart more      the button that shows the rest of it
 * @csspart legend    what the light means
 * @csspart caption   its words
 * @cssprop --headlight-size  size of the text
 */
export class HeadlightText extends ViewElement<TextStrings> {
  static override properties = {
    text: { type: String },
    textPair: { type: String, attribute: 'text-pair' },
    tokens: { attribute: false },
    weights: { attribute: false },
    shares: { attribute: false },
    max: { type: Number },
    signed: { type: Boolean },
    query: { type: Number },
    pieces: { type: Boolean, reflect: true },
    merge: { type: String },
    format: { type: String },
    cut: { type: Number },
    cutPair: { type: Number, attribute: 'cut-pair' },
    lines: { type: Boolean, reflect: true },
    unfolded: { state: true },
  };

  declare text: string;
  declare textPair: string | null;
  declare tokens: readonly AttendedToken[];
  declare weights: ArrayLike<number> | null;
  declare shares: ArrayLike<number> | null;
  declare max: number | null;
  declare signed: boolean;
  declare query: number | null;
  declare pieces: boolean;
  declare merge: 'sum' | 'mean' | 'max';
  declare format: NumberFormat;
  declare cut: number | null;
  declare cutPair: number | null;
  declare lines: boolean;
  /** All of what was not read is shown. */
  declare private unfolded: boolean;

  protected readonly english = english;
  private segments: [Segment[], Segment[]] = [[], []];
  private items: Item[] = [];
  private specials: Item[] = [];
  private full = 1;
  private pressed: { x: number; y: number } | null = null;
  private resize: ResizeObserver | null = null;

  constructor() {
    super();
    this.text = '';
    this.textPair = null;
    this.tokens = [];
    this.weights = null;
    this.shares = null;
    this.max = null;
    this.signed = false;
    this.query = null;
    this.pieces = false;
    this.merge = 'sum';
    this.format = 'percent';
    this.cut = null;
    this.cutPair = null;
    this.lines = false;
    this.unfolded = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resize = new ResizeObserver(() => this.drawLines());
    this.resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize?.disconnect();
  }

  private weightOf(tokens: readonly number[], weights: ArrayLike<number> | null): number {
    const values = tokens.map((i) => weights?.[i] ?? 0);
    if (this.merge === 'max')
      return values.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    const sum = values.reduce((total, value) => total + value, 0);
    return this.merge === 'mean' && values.length > 0 ? sum / values.length : sum;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('text') || changed.has('textPair') || changed.has('tokens') || changed.has('pieces')) {
      const cut = (sequence: 0 | 1, text: string) => segment(text, this.tokens, !this.pieces, sequence);
      this.segments = [cut(0, this.text), this.textPair === null ? [] : cut(1, this.textPair)];
      this.unfolded = false;
    }
    this.items = this.segments
      .flat()
      .filter((run) => run.tokens.length > 0)
      .map((run) => ({
        name: run.text,
        tokens: run.tokens,
        weight: this.weightOf(run.tokens, this.weights),
      }));
    this.specials = this.tokens.flatMap((token, i) =>
      isSpecial(token)
        ? [{ name: token.text, tokens: [i], weight: this.weightOf([i], this.shares ?? this.weights) }]
        : [],
    );
    const most = this.items.reduce((value, item) => Math.max(value, Math.abs(item.weight)), 0);
    this.full = this.max ?? (most || 1);
  }

  protected override render(): TemplateResult {
    let item = 0;
    const active = this.activeItem();
    const paragraph = (runs: readonly Segment[]) =>
      html`<p part="text" dir="auto">${runs.map((run) =>
        run.tokens.length === 0 ? this.renderGap(run) : this.renderToken(run, item++, active),
      )}</p>`;
    const [first, second] = this.segments;
    const tokens = this.items.length > 0;
    return html`
      <div class=${this.items.length < FEW ? 'stage few' : 'stage'}>
        <svg class="lines" aria-hidden="true"></svg>
        <div
          role=${tokens ? 'listbox' : nothing}
          aria-orientation=${tokens ? 'horizontal' : nothing}
          aria-label=${tokens ? this.say.tokens : nothing}
          @pointerdown=${this.onPress}
          @click=${this.onClick}
          @keydown=${this.onKey}
          @pointerover=${this.onOver}
          @pointerleave=${this.onLeave}
          @focusin=${this.onOver}
          @focusout=${this.onLeave}
        >${paragraph(first)}${this.textPair === null ? nothing : paragraph(second)}</div>
      </div>
      <div class="foot">
        ${this.specials.map((special) => this.renderSpecial(special))}
        ${this.weights === null ? nothing : this.renderLegend()}
        ${this.cut === null && this.cutPair === null ? nothing : html`<span part="cut-note">${this.say.notRead}</span>`}
        ${this.renderUnfold()}
        ${this.renderTools(() => this.renderTable())}
      </div>
    `;
  }

  // Runs that no token covers: spaces, and what was cut off.
  private renderGap(run: Segment): TemplateResult | string {
    const second = run === this.segments[1].at(-1);
    if (!second && run !== this.segments[0].at(-1)) return run.text;
    const rest = this.unread(second);
    const folded = this.unfolded ? rest : fold(rest);
    const read = run.text.slice(0, run.text.length - rest.length);
    if (rest === '') return read;
    return html`${read}<span part="cut" class=${folded === rest ? 'cut' : 'cut folded'}>${folded}</span>`;
  }

  /** What was cut off the text, or the other text. */
  private unread(second: boolean): string {
    const cut = second ? this.cutPair : this.cut;
    return cut === null ? '' : ((second ? this.textPair : this.text) ?? '').slice(cut);
  }

  private renderUnfold(): TemplateResult | typeof nothing {
    const rests = [this.unread(false), this.unread(true)];
    const hidden = rests.reduce((count, rest) => count + rest.length - fold(rest).length, 0);
    if (hidden === 0 || this.unfolded) return nothing;
    const label = fill(this.say.more, { n: hidden.toLocaleString('en') });
    return html`<button type="button" part="more" class="more" @click=${() => (this.unfolded = true)}>${label}</button>`;
  }

  private renderToken(run: Segment, index: number, active: number): TemplateResult {
    const { weight, tokens } = this.items[index]!;
    const looks = this.query !== null && tokens.includes(this.query);
    const written = formatWeight(weight, this.format);
    return html`<span
      part=${looks ? 'token query' : 'token'}
      class="token${run.continues ? ' continues' : ''}"
      role="option"
      aria-selected=${looks ? 'true' : 'false'}
      aria-label=${fill(this.say.tokenLabel, { token: tokenName(run.text), weight: written })}
      tabindex=${index === active ? 0 : -1}
      data-item=${index}
      data-weight=${this.weights === null ? nothing : written}
      >${run.text}</span
    >`;
  }

  private renderSpecial({ name, tokens, weight }: Item): TemplateResult {
    const looks = this.query !== null && tokens.includes(this.query);
    const share = this.format === 'percent' || this.shares !== null;
    const said = share
      ? fill(this.say.took, { token: name, share: formatWeight(weight, 'percent') })
      : `${name} ${formatWeight(weight, this.format)}`;
    return html`<button
      type="button"
      part=${looks ? 'special query' : 'special'}
      aria-pressed=${looks ? 'true' : 'false'}
      @click=${() => this.choose(tokens)}
    ><bdi>${this.weights === null || (weight === 0 && !share) ? name : said}</bdi></button>`;
  }

  private renderLegend(): TemplateResult {
    const negative = this.signed || this.items.some((item) => item.weight < 0);
    const steps = [0, 0.25, 0.5, 0.75, 1];
    const ramp = (sign: 'for' | 'against', strengths: number[]) =>
      strengths.map((step) => html`<span class="step" data-step=${step} data-sign=${sign}></span>`);
    return html`<div part="legend" class="legend">
      <span class="ramp" aria-hidden="true">
        ${negative ? ramp('against', steps.slice(1).reverse()) : nothing}${ramp('for', steps)}
      </span>
      <span>${this.range(negative)}</span>
      ${this.caption ? html`<bdi part="caption">${this.caption}</bdi>` : nothing}
    </div>`;
  }

  /** '0 % – 2.5 %' */
  private range(negative: boolean): string {
    return `${formatWeight(negative ? -this.full : 0, this.format)} – ${formatWeight(this.full, this.format)}`;
  }

  private renderTable(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${this.say.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">${this.say.token}</th>
            <th scope="col" class="number">${this.say.weight}</th>
          </tr>
        </thead>
        <tbody>
          ${[...this.items, ...this.specials].map(
            (item) => html`<tr>
              <td><bdi>${tokenName(item.name)}</bdi></td>
              <td class="number">${formatWeight(item.weight, this.format)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(): void {
    const style = (element: HTMLElement, strength: number, sign: string) => {
      element.style.setProperty('--w', strength.toFixed(3));
      element.style.setProperty('--u', strength < FAINT ? '0px' : `${(strength * UNDERLINE).toFixed(2)}px`);
      if (element.dataset['sign'] !== sign) element.dataset['sign'] = sign;
    };
    for (const element of this.tokenElements()) {
      const { weight } = this.items[Number(element.dataset['item'])]!;
      style(element, this.strength(weight), weight < 0 ? 'against' : 'for');
    }
    for (const step of this.renderRoot.querySelectorAll<HTMLElement>('.step')) {
      style(step, Number(step.dataset['step']), step.dataset['sign']!);
    }
    this.drawLines();
  }

  /** 0 to 1 of full light. */
  private strength(weight: number): number {
    return Math.min(1, Math.abs(weight) / this.full);
  }

  private tokenElements(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.token')];
  }

  /** The item that Tab reaches: the one that looks, or the first. */
  private activeItem(): number {
    const index =
      this.query === null ? -1 : this.items.findIndex((item) => item.tokens.includes(this.query!));
    return Math.max(0, index);
  }

  // ---------------------------------------------------------------------------------------------
  // Pointer and keys

  private choose(tokens: number[], moved = false): void {
    this.emit('headlight-query', { index: tokens[0] ?? null, tokens, moved });
  }

  private itemAt(event: Event): number | null {
    const element = (event.target as HTMLElement).closest<HTMLElement>('.token');
    return element ? Number(element.dataset['item']) : null;
  }

  private onPress(event: PointerEvent): void {
    this.pressed = { x: event.clientX, y: event.clientY };
  }

  // A press that moved selects text and chooses nothing.
  private onClick(event: MouseEvent): void {
    const index = this.itemAt(event);
    const moved =
      this.pressed && Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > 4;
    this.pressed = null;
    if (index !== null && !moved) this.choose(this.items[index]!.tokens);
  }

  private onOver(event: Event): void {
    const index = this.itemAt(event);
    this.emit(
      'headlight-token',
      index === null
        ? { index, tokens: [] }
        : { index: this.items[index]!.tokens[0], tokens: this.items[index]!.tokens },
    );
  }

  private onLeave(): void {
    this.emit('headlight-token', { index: null, tokens: [] });
  }

  private onKey(event: KeyboardEvent): void {
    const index = this.itemAt(event);
    if (index === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const paragraph = (event.target as HTMLElement).closest('p')!;
    const forward = getComputedStyle(paragraph).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const vertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const horizontal = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (vertical) this.emit('headlight-step', { axis: 'layer', by: event.key === 'ArrowUp' ? -1 : 1 });
    else if (horizontal && event.shiftKey)
      this.emit('headlight-step', { axis: 'head', by: event.key === 'ArrowLeft' ? -1 : 1 });
    else if (horizontal) this.moveTo(index + (event.key === forward ? 1 : -1));
    else if (event.key === 'Home') this.moveTo(0);
    else if (event.key === 'End') this.moveTo(this.items.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.items[index]!.tokens);
    else if (event.key === 'Escape') this.choose([]);
    else return;
    event.preventDefault();
  }

  private moveTo(index: number): void {
    const item = this.items[index];
    if (!item) return;
    this.tokenElements()[index]?.focus();
    this.choose(item.tokens, true);
  }

  // ---------------------------------------------------------------------------------------------
  // Lines

  private drawLines(): void {
    const layer = this.renderRoot?.querySelector('svg.lines');
    if (!layer) return;
    layer.replaceChildren();
    const from = this.lines && this.query !== null ? this.elementOf(this.query) : null;
    if (!from) return;
    const stage = layer.getBoundingClientRect();
    const middle = (element: Element) => {
      const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
      return { x: box.left + box.width / 2 - stage.left, y: box.top + box.height / 2 - stage.top };
    };
    const start = middle(from);
    for (const element of this.tokenElements()) {
      const strength = this.strength(this.items[Number(element.dataset['item'])]!.weight);
      if (element === from || strength < 0.1) continue;
      const end = middle(element);
      const lift = Math.min(start.y, end.y) - 14 - Math.abs(end.x - start.x) / 24;
      const path = document.createElementNS(svgNamespace, 'path');
      path.setAttribute('d', `M${start.x} ${start.y}Q${(start.x + end.x) / 2} ${lift} ${end.x} ${end.y}`);
      path.setAttribute('stroke-width', (0.5 + strength * 1.5).toFixed(2));
      path.setAttribute('stroke-opacity', (0.25 + strength * 0.6).toFixed(2));
      layer.append(path);
    }
  }

  private elementOf(token: number): HTMLElement | null {
    const index = this.items.findIndex((item) => item.tokens.includes(token));
    return index < 0
      ? (this.renderRoot.querySelectorAll<HTMLElement>('.foot button')[
          this.specials.findIndex((item) => item.tokens.includes(token))
        ] ?? null)
      : (this.tokenElements()[index] ?? null);
  }

  // ---------------------------------------------------------------------------------------------
  // Files

  /** first token's index, text, start and end in UTF-16 units, weight; special tokens last. */
  override toRows(): Cell[][] {
    const rows = [...this.items, ...this.specials].map(({ name, tokens }) => {
      const first = this.tokens[tokens[0]!]!;
      const last = this.tokens[tokens.at(-1)!]!;
      return [tokens[0]!, name, first.start, last.end, this.weightOf(tokens, this.weights)];
    });
    return [['token', 'text', 'start', 'end', 'weight'], ...rows];
  }

  /** As it is laid out now, with its legend. */
  protected override scene(colors: Colors): Scene {
    const root = this.renderRoot as ShadowRoot;
    const stage = root.querySelector('.stage')!.getBoundingClientRect();
    const margin = 24;
    const shapes: Shape[] = [];
    const place = (box: DOMRect) => ({ x: box.left - stage.left + margin, y: box.top - stage.top + margin });
    for (const paragraph of root.querySelectorAll('p')) {
      const { fontSize, fontFamily } = getComputedStyle(paragraph);
      const size = parseFloat(fontSize);
      for (const element of paragraph.querySelectorAll<HTMLElement>('.token')) {
        const { weight } = this.items[Number(element.dataset['item'])]!;
        const strength = this.strength(weight);
        const mark = strength < FAINT ? 0 : strength * UNDERLINE;
        for (const box of element.getClientRects()) {
          const { x, y } = place(box);
          shapes.push({
            kind: 'rect',
            x,
            y,
            width: box.width,
            height: box.height,
            fill: weight < 0 ? colors.against : colors.for,
            opacity: strength,
          });
          if (mark)
            shapes.push({
              kind: 'rect',
              x,
              y: y + box.height - mark,
              width: box.width,
              height: mark,
              fill: weight < 0 ? colors.againstMark : colors.forMark,
            });
        }
      }
      for (const line of textLines(paragraph)) {
        const { x, y } = place(line.box);
        shapes.push({
          kind: 'text',
          x: x + line.box.width / 2,
          y: y + line.box.height / 2 + size * 0.33,
          text: line.text,
          size,
          family: fontFamily,
          fill: line.cut ? colors.quiet : colors.ink,
          anchor: 'middle',
        });
      }
    }
    const range = this.range(this.items.some(({ weight }) => weight < 0));
    const family = getComputedStyle(this).fontFamily;
    const foot = [
      this.caption,
      range,
      ...this.specials.map(({ name, weight }) =>
        fill(this.say.took, { token: name, share: formatWeight(weight, 'percent') }),
      ),
    ];
    const text = foot.filter(Boolean).join(' · ');
    shapes.push({
      kind: 'text',
      x: margin,
      y: stage.height + margin + 24,
      text,
      size: 13,
      family,
      fill: colors.quiet,
    });
    return {
      width: stage.width + 2 * margin,
      height: stage.height + 2 * margin + 28,
      background: colors.paper,
      title: this.caption || 'Headlight',
      shapes,
    };
  }

  static override styles = [palette, styles];
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** The text of a paragraph as it is broken into lines, a token or gap at a time. */
function textLines(paragraph: Element): { text: string; box: DOMRect; cut: boolean }[] {
  const lines: { text: string; box: DOMRect; cut: boolean }[] = [];
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const cut = node.parentElement?.classList.contains('cut') ?? false;
    range.selectNodeContents(node);
    const boxes = range.getClientRects();
    if (boxes.length === 1 && node.data.trim()) lines.push({ text: node.data, box: boxes[0]!, cut });
    if (boxes.length < 2) continue;
    // A run over several lines: characters are gathered by the line they stand on.
    let line: { text: string; box: DOMRect; cut: boolean } | null = null;
    let at = 0;
    for (const character of node.data) {
      range.setStart(node, at);
      range.setEnd(node, (at += character.length));
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      if (line && Math.abs(line.box.top - box.top) < 2) {
        const left = Math.min(line.box.left, box.left);
        const right = Math.max(line.box.right, box.right);
        line.text += character;
        line.box = new DOMRect(left, box.top, right - left, box.height);
      } else {
        line = { text: character, box, cut };
        lines.push(line);
      }
    }
  }
  return lines;
}

declare global {
  interface HTMLElementTagNameMap {
    'headlight-text': HeadlightText;
  }
  interface HTMLElementEventMap {
    'headlight-query': QueryEvent;
    'headlight-token': TokenEvent;
    'headlight-step': StepEvent;
  }
}
