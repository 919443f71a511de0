// Beneath the verdict: what is loading, what went wrong, or what it took.

import { html, nothing, type TemplateResult } from 'lit';
import { counted, megabytes, say } from './phrases.js';
import type { Reading } from './registry.js';
import type { Failure, Session } from './session.js';
import type { Strings } from './strings/index.js';

export interface StatusOptions {
  session: Session;
  strings: Strings;
  /** What is shown, or null. */
  reading: Reading | null;
  /** It is of what is typed. */
  current: boolean;
  /** Of a model of one's own; empty: the demo model. */
  modelName: string;
  /** Reads the text again. */
  again(): void;
  demoModel(): void;
}

const button = (name: string, act: () => void): TemplateResult =>
  html`<button type="button" class="plain" @click=${act}>${name}</button>`;

export function status(options: StatusOptions): TemplateResult {
  const { session, strings } = options;
  const { model } = session;
  if (session.failure) return failure(session.failure, options, options.again);
  switch (model.phase) {
    case 'loading':
      return loading(model, options);
    case 'stopped':
      return html`<p>
        ${say(strings.stopped, { loaded: megabytes(model.loaded) })} ${button(strings.load, () => session.retry())}
      </p>`;
    case 'failed':
      return failure(model.failure, options, () => session.retry());
    case 'ready':
      return facts(model, options);
  }
}

function loading(
  { loaded, total, retry }: Extract<Session['model'], { phase: 'loading' }>,
  { session, strings, reading, current }: StatusOptions,
): TemplateResult {
  const size = total
    ? say(strings.loadingSize, { loaded: megabytes(loaded), total: megabytes(total) })
    : megabytes(loaded);
  const stored = current && reading?.milliseconds === null;
  return html`<p class="loading">
      <progress max=${total ?? 1} .value=${total ? loaded : 0} aria-label=${strings.loading}></progress>
      <span class="number">${strings.loading}, ${size}</span>
      ${button(strings.stop, () => session.stop())}
    </p>
    <p class="quiet">
      ${retry ? say(strings.retrying, { n: retry.attempt, of: retry.of }) : stored ? strings.loadingExample : strings.waiting}
    </p>`;
}

function facts(
  { info, platform, loaded }: Extract<Session['model'], { phase: 'ready' }>,
  { strings, reading, modelName }: StatusOptions,
): TemplateResult {
  const ran = reading?.milliseconds ?? null;
  const entries = [
    modelName,
    reading && ran !== null ? counted(strings.tokens, reading.attention.tokens.length) : '',
    ran === null ? '' : say(strings.milliseconds, { n: Math.max(1, Math.round(ran)) }),
    counted(strings.threads, platform.threads),
    platform.build,
    info.dtype,
    say(strings.loaded, { size: megabytes(loaded) }),
  ];
  const cut = reading && reading.attention.truncated.length > 0;
  return html`<p class="facts" title=${platform.reason}>
      ${entries.filter(Boolean).map((entry, i) => html`${i === 0 ? '' : ' · '}<span>${entry}</span>`)}
    </p>
    ${cut ? html`<p>${say(strings.cut, { max: reading.attention.tokens.length })}</p>` : nothing}`;
}

function failure(
  { message, place, advice }: Failure,
  { strings, modelName, demoModel }: StatusOptions,
  retry: () => void,
): TemplateResult {
  const byte = place.offset === undefined ? '' : say(strings.byte, { n: place.offset });
  const where = [place.file, place.tensor, byte].filter(Boolean).join(', ');
  const buttons = html`${button(strings.retry, retry)} ${modelName ? button(strings.backToDemo, demoModel) : nothing}`;
  return failureBox(strings, { title: strings.errorTitle, message, where, advice }, buttons);
}

/** What went wrong, where and what to do; `message` and `where` may be empty. */
export function failureBox(
  strings: Strings,
  { title, message, where, advice }: { title: string; message: string; where: string; advice: string },
  buttons: unknown = nothing,
): TemplateResult {
  return html`<div class="failure" role="alert">
    <strong>${title}</strong>
    ${message ? html`<p>${message}</p>` : nothing}
    ${where ? html`<p class="quiet">${say(strings.errorPlace, { place: where })}</p>` : nothing}
    <p>${advice || strings.unknownAdvice}</p>
    ${buttons}
  </div>`;
}
