import { html } from 'lit';
import { once } from '../once.js';
import type { View } from '../registry.js';
import { saveMenu } from '../save.js';
import type { HeadChooseEvent, HeadPreviewEvent } from '../../src/elements/index.js';
import type { AttentionResult } from '../../src/types.js';

const view: View = {
  id: 'heads',
  order: 20,
  place: 'side',
  title: (strings) => strings.headsTitle,

  render({ about, strings, state, reading, narrow, set, preview }) {
    return html`<section class="heads" aria-labelledby="heads-title">
      <h2 id="heads-title">${strings.headsTitle}</h2>
      <p class="quiet">${narrow ? strings.headsHintTouch : strings.headsHint}</p>
      <headlight-heads
        .maps=${reading.maps}
        .keep=${litTokens(reading.attention)}
        .layer=${state.layer}
        .head=${state.head}
        .strip=${narrow}
        .about=${about}
        .strings=${strings.heads}
        @headlight-preview=${(event: HeadPreviewEvent) => preview(event.detail)}
        @headlight-choose=${(event: HeadChooseEvent) => set(event.detail)}
        >${saveMenu(strings, 'headlight-heads')}</headlight-heads
      >
    </section>`;
  },
};

// The same list for a reading: the element draws anew only when it is another.
const litTokens = once(({ tokens }: AttentionResult) =>
  tokens.flatMap((token, i) => (token.sequenceId === null ? [] : [i])),
);

export default view;
