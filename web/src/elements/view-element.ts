// What the elements have in common: their words, the palette, a table beside the picture, and files.

import { LitElement, html, nothing, type PropertyDeclaration, type PropertyDeclarations, type TemplateResult } from 'lit';
import { escapeXml, sceneToPng, sceneToSvg, type Scene, type Shape } from './scene.js';
import { csv, floatText } from './text-format.js';
import { colorsOf, onThemeChange, type Colors } from './theme.js';

/** Of a table that is saved. */
export type Cell = string | number;

/** What an element shows, in plain values. */
export interface ViewData {
  caption: string;
  about: Record<string, string>;
  columns: string[];
  /** Indices of the columns that are shown as light. */
  lit: number[];
  rows: Cell[][];
}

/** A cell of a grid, from 0. */
export interface Place {
  row: number;
  column: number;
}

/**
 * @property caption  what the picture shows: method, layer, query; stands in the legend and in files
 * @property about    where what is shown comes from, by name: the model, its hash, the text; stands in files
 * @property strings  the element's words in another language
 * @csspart table     the table beside the picture
 * @slot tools        beside the legend and the table: buttons that save, for instance
 * @cssprop --headlight-ink           text
 * @cssprop --headlight-paper         ground
 * @cssprop --headlight-quiet         secondary text
 * @cssprop --headlight-line          hairlines
 * @cssprop --headlight-for           tint of a full positive weight, under the ink
 * @cssprop --headlight-for-mark      its underline; pictures and heat maps
 * @cssprop --headlight-against       tint of a full negative weight, under the ink
 * @cssprop --headlight-against-mark  its underline; heat maps
 * @cssprop --headlight-focus         focus ring
 * @cssprop --headlight-font          face of the text that is shown
 * @cssprop --headlight-ui-font       face of the rest
 */
export abstract class ViewElement<Words extends { table: string }> extends LitElement {
  static override properties: PropertyDeclarations = {
    caption: { type: String },
    about: { attribute: false },
    strings: { attribute: false },
    tableOpen: { state: true },
  };

  declare caption: string;
  declare about: Readonly<Record<string, string>>;
  declare strings: Partial<Words>;
  declare private tableOpen: boolean;

  protected abstract readonly english: Words;
  /** What each property is at first: the value that the constructor gives it. */
  private readonly defaults = new Map<PropertyKey, unknown>();
  private endTheme: (() => void) | null = null;

  constructor() {
    super();
    this.caption = '';
    this.about = {};
    this.strings = {};
    this.tableOpen = false;
  }

  /** A property of Lit's, but null and undefined mean its default: frameworks pass them before the data is there. */
  protected static override getPropertyDescriptor(
    name: PropertyKey,
    key: string | symbol,
    options: PropertyDeclaration,
  ): PropertyDescriptor | undefined {
    const descriptor = super.getPropertyDescriptor(name, key, options)!;
    return {
      ...descriptor,
      set(this: ViewElement<{ table: string }>, value: unknown) {
        descriptor.set!.call(this, this.accepted(name, value));
      },
    };
  }

  /** The value that a property takes. Throws a TypeError for one that is no list where a list belongs. */
  private accepted(name: PropertyKey, value: unknown): unknown {
    if (!this.defaults.has(name)) this.defaults.set(name, value);
    const byDefault = this.defaults.get(name);
    const isList = Array.isArray(byDefault) || ArrayBuffer.isView(byDefault);
    if (isList && typeof (value ?? byDefault) !== 'object') {
      throw new TypeError(`${String(name)} of <${this.localName}> must be a list, not a ${typeof value}`);
    }
    return value ?? byDefault;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.endTheme = onThemeChange(() => this.draw());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.endTheme?.();
  }

  protected get say(): Words {
    return { ...this.english, ...this.strings };
  }

  /** Paints what CSS does not: canvases, lines. Called again when the palette changes. */
  protected draw(): void {}

  /** The palette as it is now, or null before the first rendering. */
  protected get colors(): Colors | null {
    const probe = this.renderRoot?.querySelector<HTMLElement>('.probe');
    return probe ? colorsOf(probe) : null;
  }

  /** The table, made when it is opened, and what the page puts beside it. */
  protected renderTools(table: () => TemplateResult): TemplateResult {
    const onToggle = (event: Event) => (this.tableOpen = (event.target as HTMLDetailsElement).open);
    return html`<div class="tools">
        <details part="table" @toggle=${onToggle}>
          <summary>${this.say.table}</summary>
          ${this.tableOpen ? table() : nothing}
        </details>
        <slot name="tools"></slot>
      </div>
      <span class="sr probe" aria-hidden="true"></span>`;
  }

  protected emit(type: string, detail: object | null): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  protected abstract scene(colors: Colors): Scene;

  /** What is shown as a table: names of the columns, then a row each. */
  abstract toRows(): Cell[][];

  /** Comma-separated values (RFC 4180); numbers are float32 in the digits that give them back. */
  toCSV(): string {
    return csv(this.toRows());
  }

  /** Which of the columns are shown as light. */
  protected litColumns(columns: readonly Cell[]): number[] {
    return columns.flatMap((name, i) => (name === 'weight' ? [i] : []));
  }

  /** What a JSON file holds. */
  toData(): ViewData {
    const [columns, ...rows] = this.toRows();
    const digits = (cell: Cell) => (typeof cell === 'number' ? Number(floatText(cell)) : cell);
    return {
      caption: this.caption,
      about: { ...this.about },
      columns: columns as string[],
      lit: this.litColumns(columns!),
      rows: rows.map((row) => row.map(digits)),
    };
  }

  /** What the element shows as a standalone SVG file. */
  toSVG(): string {
    return sceneToSvg(this.signedScene());
  }

  /**
   * The same as a PNG file.
   * @param scale pixels of a CSS pixel, less where the picture would be too large for a canvas
   */
  toPNG(scale = 2): Promise<Blob> {
    return sceneToPng(this.signedScene(), scale);
  }

  /** One file with the picture, what it shows and the table, that needs nothing else. */
  toHTML(): string {
    const { background, title } = this.signedScene();
    const about = Object.entries(this.about).map(
      ([name, value]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd>`,
    );
    const row = (cells: readonly Cell[], tag: 'th' | 'td') =>
      `<tr>${cells
        .map((cell) => `<${tag}>${typeof cell === 'number' ? floatText(cell) : escapeXml(cell)}</${tag}>`)
        .join('')}</tr>`;
    const [columns, ...rows] = this.toRows();
    return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>
body { margin: 24px; font: 15px/1.5 system-ui, sans-serif; background: ${background}; color: ${this.colors!.ink}; }
h1 { font-size: 20px; line-height: 1.3; }
svg { max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
td, th { padding: 2px 12px 2px 0; text-align: start; white-space: pre-wrap; }
</style></head><body>
<h1>${escapeXml(title)}</h1>
${this.toSVG()}<dl>${about.join('')}</dl>
<details><summary>${escapeXml(this.say.table)}</summary><table>
${[row(columns!, 'th'), ...rows.map((cells) => row(cells, 'td'))].join('\n')}
</table></details>
</body></html>
`;
  }

  /** The scene with a line of where it comes from at its foot. */
  private signedScene(): Scene {
    const colors = this.colors!;
    const scene = this.scene(colors);
    const about = Object.values(this.about).map((value) => shorten(value.replace(/\s+/g, ' ')));
    if (about.length === 0) return scene;
    const family = getComputedStyle(this).fontFamily;
    const text = about.join(' · ');
    const line: Shape = { kind: 'text', x: 24, y: scene.height, text, size: 12, family, fill: colors.quiet };
    return {
      ...scene,
      width: Math.max(scene.width, 48 + 7 * text.length),
      height: scene.height + 16,
      description: Object.entries(this.about)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      shapes: [...scene.shapes, line],
    };
  }
}

/** Long texts are whole in the description. */
const shorten = (value: string): string => {
  const letters = [...value];
  return letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : value;
};

/** Where a key moves to in a grid, within its bounds; null for other keys. */
export function gridMove(event: KeyboardEvent, { row, column }: Place, size: Place): Place | null {
  const end = { row: size.row - 1, column: size.column - 1 };
  const moves: Record<string, Place> = {
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    Home: { row: event.ctrlKey ? 0 : row, column: 0 },
    End: { row: event.ctrlKey ? end.row : row, column: end.column },
  };
  const move = moves[event.key];
  if (!move) return null;
  return {
    row: Math.max(0, Math.min(end.row, move.row)),
    column: Math.max(0, Math.min(end.column, move.column)),
  };
}
