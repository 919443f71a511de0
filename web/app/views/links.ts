import { html } from 'lit';
import { headsOf, type Choice, type QueryEvent, type ShownHeadsEvent } from '../../src/elements/index.js';
import { once } from '../once.js';
import { layerName, say } from '../phrases.js';
import type { Reading, View } from '../registry.js';
import { saveMenu } from '../save.js';
import { entryName } from '../units.js';

// Lines between two columns of tokens, a colour a head.
const view: View = {
  id: 'links',
  order: 50,
  place: 'below',
  title: (strings) => strings.mapLinks,

  render({ about, strings, state, reading, query, look }) {
    const { maps, units } = reading;
    const sentence = say(strings.mapLinksSentence, { layer: layerName(strings, state.layer as Choice) });
    const onQuery = ({ detail: { index } }: QueryEvent) => look({ query: index ?? 'default' });
    const onHeads = ({ detail: { heads } }: ShownHeadsEvent) => {
      if (heads.length === 1) look({ head: heads[0]! });
      else if (heads.length === headsOf(maps, state.layer as Choice).length) look({ head: 'all' });
    };
    return html`<section class="map">
      <p class="sentence">${sentence}</p>
      <headlight-links
        .maps=${maps}
        .tokens=${named(reading)}
        .groups=${units.groups}
        .layer=${state.layer}
        .head=${state.head}
        .query=${units.lit[query] ? query : null}
        .caption=${sentence}
        .about=${about}
        .strings=${strings.links}
        @headlight-query=${onQuery}
        @headlight-shown-heads=${onHeads}
        >${saveMenu(strings, 'headlight-links')}</headlight-links
      >
    </section>`;
  },
};

// The same list for a reading: the element sets its columns anew only when they are others.
const named = once((reading: Reading) =>
  reading.units.entries.map((entry) => ({ ...entry, text: entryName(reading, entry) })),
);

export default view;
