// <headlight-progress>: how far an answer is; it follows by itself, so that nothing else is drawn for it.

import { LitElement, html, type TemplateResult } from 'lit';
import type { Extra } from './extras.js';

/** Milliseconds between looks. */
const INTERVAL = 100;

export class HeadlightProgress extends LitElement {
  static override properties = { extra: { attribute: false }, name: { attribute: false } };

  declare extra: Extra<unknown>;
  /** What is said of it. */
  declare name: string;
  private timer = 0;

  // The page's own style sheet styles it.
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), INTERVAL);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  protected override render(): TemplateResult {
    return html`<progress max="1" .value=${this.extra.done} aria-label=${this.name}></progress>`;
  }
}
