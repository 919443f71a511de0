// What the elements have in common: their words, the palette, a table beside the picture, and files.

import { LitElement, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { sceneToPng, sceneToSvg, type Scene } from './scene.js';
import { colorsOf, onThemeChange, type Colors } from './theme.js';

/** A cell of a grid, from 0. */
export interface Place {
  row: number;
  column: number;
}

/**
 * @property caption  what the picture shows: method, layer, query; stands in the legend and in files
 * @property strings  the element's words in another language
 */
export abstract class ViewElement<Words extends { table: string }> extends LitElement {
  static override properties: PropertyDeclarations = {
    caption: { type: String },
    strings: { attribute: false },
    tableOpen: { state: true },
  };

  declare caption: string;
  declare strings: Partial<Words>;
  declare private tableOpen: boolean;

  protected abstract readonly english: Words;
  private endTheme: (() => void) | null = null;

  constructor() {
    super();
    this.caption = '';
    this.strings = {};
    this.tableOpen = false;
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

  /** What the element shows as a standalone SVG file. */
  toSVG(): string {
    return sceneToSvg(this.scene(this.colors!));
  }

  /** @param scale pixels of a CSS pixel, less where the picture would be too large for a canvas */
  toPNG(scale = 2): Promise<Blob> {
    return sceneToPng(this.scene(this.colors!), scale);
  }
}

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
