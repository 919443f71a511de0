// Accuracy, macro F1 and the confusion matrix.

import { html, nothing, type TemplateResult } from 'lit';
import { count, counted, percent } from '../phrases.js';
import type { Strings } from '../strings/index.js';
import { metricsOf, sum } from './metrics.js';
import type { Results } from './results.js';

export interface ConfusionOptions {
  results: Results;
  labels: readonly string[];
  strings: Strings;
}

export function confusion({ results: { matrix, unknown }, labels, strings }: ConfusionOptions): TemplateResult {
  const words = strings.table;
  const { count: rows, accuracy, macroF1 } = metricsOf(matrix, labels.length);
  const most = Math.max(1, ...labels.map((_, i) => sum(matrix.subarray(i * labels.length, (i + 1) * labels.length))));
  const share = (value: number) => (Number.isNaN(value) ? '–' : percent(value));
  return html`<div class="measures">
      <dl>
        <div>
          <dt>${words.accuracy}</dt>
          <dd class="number">${share(accuracy)}</dd>
        </div>
        <div>
          <dt>${words.macroF1}</dt>
          <dd class="number">${Number.isNaN(macroF1) ? '–' : macroF1.toFixed(3)}</dd>
        </div>
        <div>
          <dt>${words.compared}</dt>
          <dd class="number">${count(rows)}</dd>
        </div>
      </dl>
      ${unknown > 0 ? html`<p class="quiet">${counted(words.unknown, unknown)}</p>` : nothing}
    </div>
    <div class="scroll" tabindex="0" role="group" aria-label=${words.confusion}>
      <table class="confusion">
        <caption>
          ${words.confusion}
        </caption>
        <thead>
          <tr>
            <td></td>
            ${labels.map((label) => html`<th scope="col"><bdi>${label}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${labels.map(
            (label, i) =>
              html`<tr>
                <th scope="row"><bdi>${label}</bdi></th>
                ${labels.map((_, j) => {
                  const value = matrix[i * labels.length + j]!;
                  return html`<td class=${i === j ? 'number right' : 'number'}>
                    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
                      <rect width="1" height="1" opacity=${(0.4 * (value / most)).toFixed(3)} />
                    </svg>
                    <span>${count(value)}</span>
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
