// What lights the text, as a sentence.

import { html, nothing, type TemplateResult } from 'lit';
import { headsOf, type Choice, type Direction, type Reduction } from '../src/elements/index.js';
import { asksToken, firstMethod, isTargeted, type Declined, type Method } from './explain.js';
import { menu } from './menu.js';
import { counted, duration, headName, headNameIn, isSeveral, layerName, phrase, say, scaleName, scales, unitName } from './phrases.js';
import type { Context, Fields, Reading, Task } from './registry.js';
import type { State } from './state.js';
import type { Strings } from './strings/index.js';
import { entryName } from './units.js';
import { isMeasured } from './views/belief.js';

const choiceText = (choice: Choice) => String(choice);
const choiceOf = (text: string): Choice => (text === 'all' ? 'all' : Number(text));
const directions: readonly Direction[] = ['from', 'to'];
const reductions: readonly Reduction[] = ['mean', 'max'];

function sentenceOf(strings: Strings, state: State, method: Method): string {
  if (method === 'occlusion') return strings.sentenceOcclusion;
  if (method !== 'attention') return strings.sentenceExplained;
  const places = isSeveral(state) ? strings.placesSeveral : strings.placesOne;
  return say(strings.sentence, { places: state.mix.length > 0 ? strings.placesMix : places });
}

/** "Light each word by attention: what [CLS] pays it in layer 5, …": each bold word is a menu. */
export function controls(context: Context): TemplateResult {
  const { strings, state, reading, method, methods, declined, asksToken: byToken, set } = context;
  const byAttention = method === 'attention';
  const parts = {
    unit: menu({
      label: strings.unit,
      value: state.pieces ? 'piece' : 'word',
      options: [
        { value: 'word', name: strings.word },
        { value: 'piece', name: strings.piece },
      ],
      choose: (value) => set({ pieces: value === 'piece' }),
    }),
    method: menu({
      label: strings.method,
      value: method,
      options: methods.map((value) => ({ value, name: strings.methods[value] })),
      choose: (by) => set({ by }),
    }),
    ...(byAttention ? attentionMenus(context) : { target: targetMenu(context) }),
  };
  const onLines = (event: Event) => set({ lines: (event.target as HTMLInputElement).checked });
  const lines = html`<label class="switch">
    <input type="checkbox" .checked=${state.lines} @change=${onLines} /> ${strings.lines}
  </label>`;
  return html`<section class="controls">
    <p class="sentence">${phrase(sentenceOf(strings, state, method), parts)}</p>
    <p class="hint">
      <span class="how">${declined ? declinedNote(context, declined) : hint(strings, state, reading, method, byToken)}</span>
      ${byToken ? lines : nothing}
      <span>${caution(strings, method, isMeasured(reading))}</span>
    </p>
  </section>`;
}

function hint(
  strings: Strings,
  state: State,
  { task, fields }: Pick<Reading, 'task' | 'fields'>,
  method: Method,
  byToken: boolean,
): string {
  const unit = unitName(strings, state);
  if (method === 'attention') return `${task.hint?.(strings, fields) ?? ''} ${say(strings.hint, { unit })}`;
  if (!isTargeted(method)) return say(strings.hintCarried, { unit });
  return byToken ? strings.hintExplained : `${strings.hintExplained} ${say(strings.hintLook, { unit })}`;
}

/** measured: whether the page tells how far the light can be believed. */
function caution(strings: Strings, method: Method, measured: boolean): string {
  if (method === 'attention') return strings.caution;
  return measured ? strings.cautionMeasured : strings.cautionExplained;
}

/** Why another method than the first one lights the text, and how to have that one. */
function declinedNote({ strings, set }: Context, declined: Declined) {
  const { method } = declined;
  const name = strings.methods[method];
  const why =
    'message' in declined
      ? say(strings.declinedFailed, { method: name, message: declined.message })
      : counted(strings.declined, declined.passes, { method: name, time: duration(strings, declined.seconds) });
  return html`${why}
    <button type="button" class="plain" @click=${() => set({ by: method })}>
      ${say(strings.declinedButton, { method: name })}
    </button>`;
}

function attentionMenus(context: Context) {
  const { strings, state, reading, query, set } = context;
  const { units } = reading;
  return {
    query: menu({
      label: strings.query,
      value: query,
      options: units.entries.map((entry, i) => ({ value: i, name: entryName(reading, entry) })),
      choose: (value) => set({ query: units.groups[value]![0]! }),
    }),
    direction: menu({
      label: strings.direction,
      value: state.direction,
      options: directions.map((value) => ({ value, name: strings.directions[value] })),
      choose: (direction) => set({ direction }),
    }),
    ...placesMenus(context),
    scale: menu({
      label: strings.scale,
      value: state.scale,
      options: scales.map((value) => ({ value, name: scaleName(strings, value) })),
      choose: (scale) => set({ scale }),
    }),
  };
}

/** Layer and head, or the heads that were picked one by one; and how they are combined where they are several. */
function placesMenus({ strings, state, reading, set }: Context) {
  const { maps } = reading;
  const { layer, head, mix } = state;
  const there = headsOf(maps, layer as Choice);
  const reduce = menu({
    label: strings.reduce,
    value: state.reduce,
    options: reductions.map((value) => ({ value, name: strings.reductions[value] })),
    choose: (value) => set({ reduce: value }),
  });
  if (mix.length > 0) {
    const instead = say(strings.placesOne, { layer: layerName(strings, layer as Choice), head: headName(strings, head) });
    const chosen = menu({
      label: strings.mix,
      value: 'mix',
      options: [
        { value: 'mix', name: counted(strings.mixN, mix.length) },
        { value: 'instead', name: instead },
      ],
      choose: () => set({ mix: [] }),
    });
    return { mix: chosen, reduce };
  }
  return {
    reduce,
    layer: menu({
      label: strings.layer,
      value: choiceText(layer as Choice),
      options: [
        { value: 'all', name: layerName(strings, 'all') },
        ...Array.from({ length: maps.layers }, (_, i) => ({ value: String(i), name: layerName(strings, i) })),
      ],
      choose: (value) => set({ layer: choiceOf(value) }),
    }),
    head: menu({
      label: strings.head,
      value: choiceText(head),
      options: [
        { value: 'all', name: headName(strings, 'all') },
        ...Array.from({ length: maps.heads }, (_, i) => ({
          value: String(i),
          name: headNameIn(strings, maps, layer as Choice, i),
          disabled: !there.includes(i),
        })),
      ],
      choose: (value) => set({ head: choiceOf(value) }),
    }),
  };
}

/** The label that is explained, or what stands for it. */
function targetMenu({ strings, state, reading, targets, targetName, explanation, set }: Context) {
  if (targetName !== null) return html`<bdi>${targetName}</bdi>`;
  const likeliest = explanation?.value?.target.label ?? reading.attention.labels[0]?.label ?? '';
  return menu({
    label: strings.target,
    value: targets.includes(state.target) ? state.target : likeliest,
    options: targets.map((value) => ({ value, name: value })),
    choose: (target) => set({ target }),
  });
}

/** The room that the controls will take, while there is nothing to control. */
export function controlsRoom(strings: Strings, state: State, task: Task, fields: Fields): TemplateResult {
  const word = (text: string) => html`<span class="menu"><span class="menu-word">${text}</span></span>`;
  const method = firstMethod(state, task);
  const byToken = asksToken(method, null);
  return html`<section class="controls room" aria-hidden="true">
    <p class="sentence">${phrase(sentenceOf(strings, state, method), {
      unit: word(unitName(strings, state)),
      method: word(strings.methods[method]),
      query: word('[CLS]'),
      direction: word(strings.directions[state.direction]),
      layer: word(layerName(strings, 0)),
      head: word(headName(strings, state.head)),
      mix: word(counted(strings.mixN, state.mix.length)),
      reduce: word(strings.reductions[state.reduce]),
      scale: word(scaleName(strings, state.scale)),
      target: word('POSITIVE'),
    })}</p>
    <p class="hint">
      <span class="how">${hint(strings, state, { task, fields }, method, byToken)}</span>
      ${byToken ? html`<span class="switch">${strings.lines}</span>` : nothing}
      <span>${caution(strings, method, task.light !== undefined)}</span>
    </p>
  </section>`;
}
