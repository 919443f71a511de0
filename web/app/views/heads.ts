import { html, nothing } from 'lit';
import { isTargeted } from '../explain.js';
import { isOff, toggled } from '../heads-off.js';
import { once } from '../once.js';
import { counted, placeName, say } from '../phrases.js';
import type { Context, View } from '../registry.js';
import { saveMenu } from '../save.js';
import type { State } from '../state.js';
import type { Strings } from '../strings/index.js';
import {
  placesOf,
  type HeadChooseEvent,
  type HeadMixEvent,
  type HeadPreviewEvent,
  type HeadSwitchEvent,
} from '../../src/elements/index.js';
import type { AttentionResult } from '../../src/types.js';

const view: View = {
  id: 'heads',
  order: 20,
  place: 'side',
  title: (strings) => strings.headsTitle,

  render({ about, strings, state, reading, narrow, several, set, look, preview, pickSeveral, ...context }) {
    const { off } = state;
    const { maps } = reading;
    const pruned = maps.layers * maps.heads - placesOf(maps, 'all', 'all').length;
    return html`<section class="heads" aria-labelledby="heads-title">
      <h2 id="heads-title">${strings.headsTitle}</h2>
      <p class="quiet">${narrow ? strings.headsHintTouch : strings.headsHint}</p>
      <headlight-heads
        .maps=${maps}
        .keep=${litTokens(reading.attention)}
        .layer=${state.layer}
        .head=${state.head}
        .mix=${state.mix}
        .several=${several}
        .off=${off}
        .strip=${narrow}
        .about=${about}
        .strings=${strings.heads}
        @headlight-preview=${(event: HeadPreviewEvent) => preview(event.detail)}
        @headlight-choose=${(event: HeadChooseEvent) => look(event.detail)}
        @headlight-mix=${({ detail: { heads } }: HeadMixEvent) => look(heads.length === 1 ? heads[0]! : { mix: heads })}
        @headlight-switch=${(event: HeadSwitchEvent) => set({ off: toggled(off, event.detail) })}
        >${saveMenu(strings, 'headlight-heads')}</headlight-heads
      >
      <p class="switches">
        <button
          type="button"
          class="plain"
          aria-pressed=${several ? 'true' : 'false'}
          @click=${() => pickSeveral(!several)}
        >
          ${strings.several}
        </button>
        ${switchOne(strings, state, set)} ${context.methods.some(isTargeted) ? switchLeast(strings, context) : nothing}
        ${
          off.length === 0
            ? nothing
            : html`<span class="number">${counted(strings.headsOff, off.length)}</span>
              <button type="button" class="plain" @click=${() => set({ off: [] })}>${strings.switchAllOn}</button>`
        }
        ${
          pruned === 0
            ? nothing
            : html`<span class="pruned"><span class="pruned-mark" aria-hidden="true"></span>${counted(strings.headsPruned, pruned)}</span>`
        }
      </p>
    </section>`;
  },
};

/** Switches the chosen head. */
function switchOne(strings: Strings, { layer, head, off }: State, set: Context['set']) {
  if (typeof layer !== 'number' || head === 'all') return nothing;
  const name = placeName(strings, { layer, head });
  const sentence = isOff(off, { layer, head }) ? strings.switchOn : strings.switchOff;
  return html`<button type="button" class="plain" @click=${() => set({ off: toggled(off, { layer, head }) })}>
    ${say(sentence, { head: name })}
  </button>`;
}

/** Switches off a share of the heads, the least important ones for this text. */
function switchLeast(strings: Strings, { switchOffLeast }: Pick<Context, 'switchOffLeast'>) {
  const onChange = ({ currentTarget }: Event) => {
    const menu = currentTarget as HTMLSelectElement;
    switchOffLeast(shares[menu.selectedIndex - 1]!);
    menu.selectedIndex = 0;
  };
  return html`<span class="menu save"
    ><span class="menu-word" aria-hidden="true">${strings.switchLeast}</span
    ><select aria-label=${strings.switchLeast} @change=${onChange}>
      <option disabled selected>${strings.switchLeast}</option>
      ${shares.map((share) => html`<option>${share * 100} %</option>`)}
    </select></span
  >`;
}

const shares = [0.1, 0.25, 0.5, 0.75] as const;

// The same list for a reading: the element draws anew only when it is another.
const litTokens = once(({ tokens }: AttentionResult) =>
  tokens.flatMap((token, i) => (token.sequenceId === null ? [] : [i])),
);

export default view;
