// In place of what the model was asked for and has not answered yet.

import { html, type TemplateResult } from 'lit';
import type { Extra } from './extras.js';
import { failureBox } from './status.js';
import type { Strings } from './strings/index.js';

/** The answer, or a bar while it is computed, or what went wrong. */
export function asked<Value>(
  strings: Strings,
  { value, failure, done }: Extra<Value>,
  show: (value: Value) => TemplateResult,
): TemplateResult {
  if (value !== null) return show(value);
  if (failure) {
    const { message, advice } = failure;
    return failureBox(strings, { title: strings.errorTitle, message, where: '', advice });
  }
  return html`<p class="loading">
    <progress max="1" .value=${done} aria-label=${strings.computing}></progress>
    <span>${strings.computing}</span>
  </p>`;
}
