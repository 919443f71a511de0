// Which model: the demos, and one's own.

import { html, nothing, type TemplateResult } from 'lit';
import { demos, type Demo } from './registry.js';
import { site } from './site.js';
import { ofOneModel, writeFragment, type State } from './state.js';
import type { Strings } from './strings/index.js';

export interface SwitchOptions {
  strings: Strings;
  state: State;
  /** Of a model of one's own; empty: a demo is shown. */
  ownName: string;
  /** Whether one is choosing a model of one's own. */
  open: boolean;
  choose(demo: Demo): void;
  toggle(): void;
}

export function modelSwitch({ strings, state, ownName, open, choose, toggle }: SwitchOptions): TemplateResult | typeof nothing {
  const onClick = (event: MouseEvent, demo: Demo) => {
    // A new tab or window is the browser's.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(demo);
  };
  // A site is about one model; one that was dropped has the way back.
  if (site && !ownName) return nothing;
  return html`<nav class="switch-model" aria-label=${strings.models}>
    ${demos.map((demo) => {
      const current = demo.id === state.demo && ownName === '';
      const link = writeFragment({ ...state, ...ofOneModel, demo: demo.id }, null);
      return html`<a
        href=${link || '#'}
        aria-current=${current ? 'true' : nothing}
        @click=${(event: MouseEvent) => onClick(event, demo)}
        >${demo.name[state.language]}</a
      >`;
    })}
    <button
      type="button"
      aria-expanded=${open ? 'true' : 'false'}
      aria-current=${ownName ? 'true' : nothing}
      ?disabled=${site !== null}
      @click=${toggle}
    >
      ${ownName ? html`<bdi>${ownName}</bdi>` : strings.ownModel}
    </button>
  </nav>`;
}
