import { html } from 'lit';
import { asked, waiting } from '../asked.js';
import { percent, phrase, say } from '../phrases.js';
import type { Context, Reading, View } from '../registry.js';
import { saveMenu } from '../save.js';
import { inputOf } from '../units.js';
import { formatWeight } from '../../src/elements/index.js';
import { faithfulness, type Faithfulness } from '../../src/index.js';

/** The share of the words that the sentence tells of. */
const TOLD = 0.2;

/** Whether there is a label to ask the model for again, and a word to take out. */
export const isMeasured = ({ attention, units }: Reading): boolean =>
  attention.labels.length > 1 && units.lit.includes(true);

// Whether the light can be believed: words are taken out of the text, the brightest first, and the model is asked again.
const view: View = {
  id: 'belief',
  order: 70,
  place: 'below',
  title: (strings) => strings.mapBelief,
  fits: isMeasured,

  render(context) {
    const { ask, strings, reading, chosenLit, explanation } = context;
    // What lit the text before it was read again is not measured.
    if (explanation && explanation.done < 1) return html`<section class="map">${waiting(strings, explanation)}</section>`;
    const { units, attention } = reading;
    const { light, key } = chosenLit;
    const extra = ask(`belief ${key}`, (model, hooks) =>
      faithfulness(
        model,
        inputOf(reading),
        { words: units.entries, scores: light.weights },
        { ...hooks, target: attention.labels[0]!.label },
      ),
    );
    return html`<section class="map">
      <p class="sentence">${phrase(strings.mapBeliefSentence, { target: html`<bdi>${attention.labels[0]!.label}</bdi>` })}</p>
      ${asked(strings, extra, (measured) => renderCurve(context, measured))}
    </section>`;
  },
};

function renderCurve({ about, strings, chosenLit }: Context, measured: Faithfulness) {
  const chance = measured.random!;
  const at = measured.curve.findIndex(({ removed }) => removed === TOLD);
  const number = (value: number) => formatWeight(value, 'number');
  const caption = say(strings.beliefCaption, { light: chosenLit.caption, target: measured.target });
  return html`<p>
      ${say(strings.beliefTold, {
        target: measured.target,
        share: `${TOLD * 100}\u202f%`,
        whole: percent(measured.probability),
        left: percent(measured.curve[at]!.probability),
        chance: percent(chance.curve[at]!.probability),
      })}
    </p>
    <headlight-curve
      .curve=${measured.curve}
      .chance=${chance.curve}
      .caption=${caption}
      .about=${about}
      .strings=${strings.curve}
      >${saveMenu(strings, 'headlight-curve')}</headlight-curve
    >
    <p class="quiet">
      ${say(strings.beliefMeasures, {
        comprehensiveness: number(measured.comprehensiveness),
        comprehensivenessChance: number(chance.comprehensiveness),
        sufficiency: number(measured.sufficiency),
        sufficiencyChance: number(chance.sufficiency),
      })}
    </p>`;
}

export default view;
