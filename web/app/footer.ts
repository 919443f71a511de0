import { html, type TemplateResult } from 'lit';
import { keepsText, setKeepsText } from './state.js';
import type { Strings } from './strings/index.js';

export interface FooterOptions {
  strings: Strings;
  /** What was just done, for a moment. */
  notice: string;
  copyLink(): void;
  /** Whether texts are kept was switched. */
  forgot(): void;
}

export function footer({ strings, notice, copyLink, forgot }: FooterOptions): TemplateResult {
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
    <p class="quiet">${strings.dropHint}</p>
  </footer>`;
}
