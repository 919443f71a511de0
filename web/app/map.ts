// A <headlight-heatmap> of the page: it can be saved, and says where it comes from.

import { html, nothing, type TemplateResult } from 'lit';
import type { CellChooseEvent, NumberFormat } from '../src/elements/index.js';
import type { Context } from './registry.js';
import { saveMenu } from './save.js';

/** As the element's properties; what is left out is as the element has it. */
export interface MapOptions {
  values: Float32Array;
  rows: readonly string[];
  columns: readonly string[];
  rowTitle: string;
  columnTitle: string;
  /** null: the largest value. */
  max: number | null;
  format: NumberFormat;
  /** Index of the marked row, or null. */
  selected: number | null;
  caption: string;
  /** A class of its own. */
  kind?: string;
  choose(place: { row: number; column: number }): void;
}

export const heatmap = (
  { about, strings }: Pick<Context, 'about' | 'strings'>,
  { values, rows, columns, rowTitle, columnTitle, max, format, selected, caption, kind, choose }: MapOptions,
): TemplateResult =>
  html`<headlight-heatmap
    class=${kind ?? nothing}
    .values=${values}
    .rows=${rows}
    .columns=${columns}
    .rowTitle=${rowTitle}
    .columnTitle=${columnTitle}
    .max=${max}
    .format=${format}
    .selected=${selected}
    .caption=${caption}
    .about=${about}
    .strings=${strings.heatmap}
    @headlight-choose-cell=${({ detail }: CellChooseEvent) => choose(detail)}
    >${saveMenu(strings, 'headlight-heatmap')}</headlight-heatmap
  >`;
