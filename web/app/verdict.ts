// Lines that say what a task found.

import { html, nothing, type TemplateResult } from 'lit';
import { bar } from './bars.js';
import { percent } from './phrases.js';

/** Before there is an answer: the line keeps its height. */
export const noVerdict = html`<div class="verdict"></div>`;

/** A name with its score, from 0 to 1, as bar and number. */
export const scoredVerdict = (name: unknown, score: number, more: unknown = nothing): TemplateResult =>
  html`<div class="verdict">
    <strong>${name}</strong> ${bar(score)} <span class="number">${percent(score)}</span> ${more}
  </div>`;

/** One of several things that were found, and how often or how surely. */
export const foundOne = (name: string, written: string): TemplateResult =>
  html`<span class="found"><strong><bdi>${name}</bdi></strong> <span class="number">${written}</span></span>`;
