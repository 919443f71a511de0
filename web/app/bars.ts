// Scores as bars with their numbers.

import { html, type TemplateResult } from 'lit';
import { percent } from './phrases.js';
import { languageOf } from './units.js';

/** @param share 0 to 1 */
export const bar = (share: number): TemplateResult =>
  html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar-all" width="100" height="1" />
    <rect class="bar-score" width=${(Math.max(0, Math.min(1, share)) * 100).toFixed(2)} height="1" />
  </svg>`;

export interface Bar {
  name: string;
  /** 0 to 1. */
  score: number;
  /** As it is written; default in per cent. */
  written?: string;
  /** The one that is shown elsewhere on the page. */
  current?: boolean;
  /** What choosing it does. */
  choose?(): void;
}

/** A list in which each bar has its row; `rows` keeps the height of so many. */
export function bars(entries: readonly Bar[], label: string, rows = entries.length): TemplateResult {
  const empty = Array.from({ length: Math.max(0, rows - entries.length) });
  return html`<ol class="bars" aria-label=${label}>
    ${entries.map(({ name, score, written, current, choose }) => {
      const text = html`<bdi lang=${languageOf(name) || 'und'}>${name}</bdi>`;
      return html`<li class=${current ? 'current' : ''}>
        ${choose ? html`<button type="button" class="plain" @click=${choose}>${text}</button>` : html`<span>${text}</span>`}
        ${bar(score)}<span class="number">${written ?? percent(score)}</span>
      </li>`;
    })}
    ${empty.map(() => html`<li aria-hidden="true"><span>\u00a0</span></li>`)}
  </ol>`;
}
