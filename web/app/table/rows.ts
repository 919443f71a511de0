// One page of rows.

import { html, nothing, type TemplateResult } from 'lit';
import { segmentsOf } from '../marks.js';
import { count, say, scoreText } from '../phrases.js';
import type { Strings } from '../strings/index.js';
import { languageOf } from '../units.js';
import type { RowSpan } from './task.js';

/** Characters of a text that stand in its row. */
const SHOWN = 400;

export interface ShownRow {
  /** From 0. */
  row: number;
  text: string;
  label: string;
  /** null: not read yet. */
  score: number | null;
  /** The right label; null: none that is known. */
  right: string | null;
  wrong: boolean;
  spans: readonly RowSpan[];
}

export interface RowsOptions {
  rows: readonly ShownRow[];
  strings: Strings;
  /** Whether there are right labels. */
  compared: boolean;
  /** Looks at a text by itself; null: not now. */
  open: ((text: string) => void) | null;
}

export function rowsTable({ rows, strings, compared, open }: RowsOptions): TemplateResult {
  const words = strings.table;
  const body = ({ text, spans }: ShownRow) =>
    html`<bdi lang=${languageOf(text) || 'und'}>${segmentsOf(text.slice(0, SHOWN), spans).map((part) =>
      part.mark ? html`<mark title=${part.mark.label}>${part.text}</mark>` : part.text,
    )}</bdi>`;
  return html`<table class="rows">
    <caption class="sr">
      ${words.rows}
    </caption>
    <thead>
      <tr>
        <th scope="col" class="number">${words.row}</th>
        <th scope="col" class="wide">${words.text}</th>
        <th scope="col">${words.label}</th>
        <th scope="col" class="number">${strings.score}</th>
        ${compared ? html`<th scope="col">${words.right}</th>` : nothing}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        return html`<tr class=${row.wrong ? 'wrong' : ''}>
          <td class="number quiet">${count(row.row + 1)}</td>
          <td class="wide">
            ${
              open
                ? html`<button
                    type="button"
                    class="plain"
                    title=${say(words.openRow, { n: count(row.row + 1) })}
                    @click=${() => open(row.text)}
                  >
                    ${body(row)}
                  </button>`
                : body(row)
            }
          </td>
          <td><bdi>${row.score === null ? '' : row.label || words.none}</bdi></td>
          <td class="number">${row.score === null || row.label === '' ? '' : scoreText(row.score)}</td>
          ${compared ? html`<td><bdi>${row.right ?? ''}</bdi>${row.wrong ? html` <b aria-label=${words.isWrong} role="img">×</b>` : nothing}</td>` : nothing}
        </tr>`;
      })}
    </tbody>
  </table>`;
}
