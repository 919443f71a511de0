// In place of what the model was asked for and has not answered yet.

import { html, nothing, type TemplateResult } from 'lit';
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
export function waiting(strings: Strings, extra: Extra<unknown>): TemplateResult {
  if (extra.failure) return failed(strings, extra);
  return html`<p class="loading">
    <headlight-progress .extra=${extra} .name=${strings.computing}></headlight-progress>
    <span>${strings.computing}</span>
  </p>`;
}

/** The same within a picture that keeps its place: a thin bar along its edge. */
export function waitingThin(strings: Strings, extra: Extra<unknown>): TemplateResult | typeof nothing {
  if (extra.failure) return failed(strings, extra);
  if (extra.done === 1) return nothing;
  return html`<headlight-progress class="thin" .extra=${extra} .name=${strings.computing}></headlight-progress>`;
}

function failed(strings: Strings, { failure }: Extra<unknown>): TemplateResult {
  const { message, advice } = failure!;
  return failureBox(strings, { title: strings.errorTitle, message, where: '', advice });
}
