// In place of what the model was asked for and has not answered yet.

import { html, type TemplateResult } from 'lit';
import type { Extra } from './extras.js';
import { failureBox } from './status.js';
import type { Strings } from './strings/index.js';

/** The answer, or what stands in its place. */
export const asked = <Value>(
  strings: Strings,
  extra: Extra<Value>,
  show: (value: Value) => TemplateResult,
): TemplateResult => (extra.value === null ? waiting(strings, extra) : show(extra.value));

/** A bar while it is computed, or what went wrong. */
export function waiting(strings: Strings, { failure, done }: Extra<unknown>): TemplateResult {
  if (failure) {
    const { message, advice } = failure;
    return failureBox(strings, { title: strings.errorTitle, message, where: '', advice });
  }
  return html`<p class="loading">
    <progress max="1" .value=${done} aria-label=${strings.computing}></progress>
    <span>${strings.computing}</span>
  </p>`;
}
