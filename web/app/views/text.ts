import { html, nothing } from 'lit';
import { waitingThin } from '../asked.js';
import type { Lit } from '../lit.js';
import { scoreText } from '../phrases.js';
import type { Context, Kept, View } from '../registry.js';
import { saveMenu } from '../save.js';
import { languageOf } from '../units.js';
import { headsOf, type Choice, type QueryEvent, type StepEvent } from '../../src/elements/index.js';

/** One step along a menu of 'all' and others, as far as it goes. */
const step = (choice: Choice, by: number, others: readonly number[]): Choice => {
  const all: readonly Choice[] = ['all', ...others];
  return all[Math.max(0, Math.min(all.length - 1, all.indexOf(choice) + by))]!;
};

/** Words or pieces above which letters are smaller. */
const LONG = 160;

const view: View = {
  id: 'text',
  order: 10,
  place: 'main',
  title: (strings) => strings.yourText,

  render(context) {
    const { about, strings, state, reading, kept, explanation, asksToken, look } = context;
    const { light, format, caption } = context.lit;
    const { units, text, pair, attention } = reading;
    const onQuery = ({ detail: { index, moved } }: QueryEvent) => {
      // Where no token looks, the arrow keys only go from one to the next.
      if (asksToken || (index !== null && !moved)) look({ query: units.groups[index ?? -1]?.[0] ?? 'default' });
    };
    const layer = state.layer as Choice;
    const onStep = ({ detail: { axis, by } }: StepEvent) =>
      axis === 'layer'
        ? look({ layer: step(layer, by, [...Array(reading.maps.layers).keys()]) })
        : look({ head: step(state.head, by, headsOf(reading.maps, layer)) });
    const previews = context.lit !== context.chosenLit;
    const before = explanation !== null && explanation.value !== null && explanation.done < 1;
    const cutOf = (second: boolean) => attention.truncated.find(({ inPair }) => inPair === second)?.start ?? null;
    const verdict = attention.labels[0] ?? null;
    const keep = () => context.keep({ text, pair, entries: units.entries, lit: context.lit, about, verdict });
    return html`<section class=${units.entries.length > LONG ? 'lit long' : 'lit'} aria-label=${strings.yourText}>
      <headlight-text
        class=${context.stale || (before && !previews) ? 'stale' : ''}
        lang=${languageOf(text) || nothing}
        .text=${text}
        .textPair=${pair}
        .tokens=${units.entries}
        .weights=${light.weights}
        .shares=${light.shares}
        .max=${kept ? commonFull(context.lit, kept.lit) : light.full}
        .signed=${context.lit.signed}
        .query=${asksToken || previews ? context.query : null}
        .pieces=${true}
        .format=${format}
        .cut=${cutOf(false)}
        .cutPair=${cutOf(true)}
        .lines=${state.lines && (asksToken || previews)}
        .caption=${caption}
        .about=${about}
        .strings=${state.direction === 'to' ? { ...strings.text, took: strings.paid } : strings.text}
        @headlight-query=${onQuery}
        @headlight-step=${onStep}
        >${saveMenu(strings, 'headlight-text')}
        <button type="button" class="plain" slot="tools" @click=${keep}>${strings.keepBeside}</button></headlight-text
      >
      ${explanation ? waitingThin(strings, explanation) : nothing}
      ${kept ? renderKept(context, kept) : nothing}
    </section>`;
  },
};

/** The weight of full light for both, where they are in the same unit. */
const commonFull = (lit: Lit, other: Lit): number =>
  lit.unit === other.unit ? Math.max(lit.light.full, other.light.full) : lit.light.full;

function renderKept({ strings, lit, keep }: Context, kept: Kept) {
  const { verdict, about } = kept;
  const { light, format, caption } = kept.lit;
  const from = [about[strings.about.model], verdict && `${verdict.label} ${scoreText(verdict.score)}`];
  return html`<div class="kept" role="group" aria-label=${strings.keptTitle}>
    <p class="quiet">
      ${strings.keptTitle} <bdi>${from.filter(Boolean).join(' · ')}</bdi>
      <button type="button" class="plain" @click=${() => keep(null)}>${strings.letGo}</button>
    </p>
    <headlight-text
      lang=${languageOf(kept.text) || nothing}
      .text=${kept.text}
      .textPair=${kept.pair}
      .tokens=${kept.entries}
      .weights=${light.weights}
      .shares=${light.shares}
      .max=${commonFull(kept.lit, lit)}
      .signed=${kept.lit.signed}
      .pieces=${true}
      .format=${format}
      .caption=${caption}
      .about=${about}
      .strings=${strings.text}
      >${saveMenu(strings, 'headlight-text')}</headlight-text
    >
  </div>`;
}

export default view;
