import { html, nothing, type TemplateResult } from 'lit';
import { megabytes, say } from './phrases.js';
import { keepsText, setKeepsText } from './state.js';
import type { Strings } from './strings/index.js';

export interface FooterOptions {
  strings: Strings;
  /** What was just done, for a moment. */
  notice: string;
  /** Bytes of models that this device keeps. */
  stored: number;
  copyLink(): void;
  /** Whether texts are kept was switched. */
  forgot(): void;
  clearStored(): void;
}

export function footer({ strings, notice, stored, copyLink, forgot, clearStored }: FooterOptions): TemplateResult {
  const onKeep = (event: Event) => {
    setKeepsText((event.target as HTMLInputElement).checked);
    forgot();
  };
  return html`<footer>
    <p>
      <button type="button" class="plain" @click=${copyLink}>${strings.copyLink}</button>
      <label class="switch">
        <input type="checkbox" .checked=${keepsText()} @change=${onKeep} /> ${strings.keep}
      </label>
      <span role="status">${notice}</span>
    </p>
    ${
      stored > 0
        ? html`<p class="quiet stored">
            <span>${say(strings.stored, { size: megabytes(stored) })}</span>
            <button type="button" class="plain" @click=${clearStored}>${strings.clearStored}</button>
          </p>`
        : nothing
    }
    <p class="quiet">${strings.dropHint}</p>
  </footer>`;
}
