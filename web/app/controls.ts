// What lights the text, as a sentence.

import { html, type TemplateResult } from 'lit';
import type { Choice } from '../src/elements/index.js';
import { menu } from './menu.js';
import { headName, layerName, phrase, say, scaleName, scales, unitName } from './phrases.js';
import type { Context, Task } from './registry.js';
import type { State } from './state.js';
import type { Strings } from './strings/index.js';
import { entryName } from './units.js';

const choiceText = (choice: Choice) => String(choice);
const choiceOf = (text: string): Choice => (text === 'all' ? 'all' : Number(text));

/** All, then each from 1. */
const choices = (count: number, name: (choice: Choice) => string) => [
  { value: 'all', name: name('all') },
  ...Array.from({ length: count }, (_, i) => ({ value: String(i), name: name(i) })),
];

/** "Light each word by attention: what [CLS] pays it in layer 5, …": each bold word is a menu. */
export function controls(context: Context): TemplateResult {
  const { strings, state, reading, method, methods, set } = context;
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
  return html`<section class="controls">
    <p class="sentence">${phrase(byAttention ? strings.sentence : strings.sentenceExplained, parts)}</p>
    <p class="hint">
      <span class="how">${
        byAttention
          ? `${reading.task.hint?.(strings) ?? ''} ${say(strings.hint, { unit: unitName(strings, state) })}`
          : strings.hintExplained
      }</span>
      <label class="switch">
        <input type="checkbox" .checked=${state.lines} @change=${onLines} /> ${strings.lines}
      </label>
      <span>${byAttention ? strings.caution : strings.cautionExplained}</span>
    </p>
  </section>`;
}

function attentionMenus({ strings, state, reading, query, set }: Context) {
  const { maps, units } = reading;
  return {
    query: menu({
      label: strings.query,
      value: query,
      options: units.entries.map((entry, i) => ({ value: i, name: entryName(reading, entry) })),
      choose: (value) => set({ query: units.groups[value]![0]! }),
    }),
    layer: menu({
      label: strings.layer,
      value: choiceText(state.layer as Choice),
      options: choices(maps.layers, (choice) => layerName(strings, choice)),
      choose: (value) => set({ layer: choiceOf(value) }),
    }),
    head: menu({
      label: strings.head,
      value: choiceText(state.head),
      options: choices(maps.heads, (choice) => headName(strings, choice)),
      choose: (value) => set({ head: choiceOf(value) }),
    }),
    scale: menu({
      label: strings.scale,
      value: state.scale,
      options: scales.map((value) => ({ value, name: scaleName(strings, value) })),
      choose: (scale) => set({ scale }),
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
export function controlsRoom(strings: Strings, state: State, task: Task): TemplateResult {
  const word = (text: string) => html`<span class="menu"><span class="menu-word">${text}</span></span>`;
  return html`<section class="controls room" aria-hidden="true">
    <p class="sentence">${phrase(strings.sentence, {
      unit: word(unitName(strings, state)),
      method: word(strings.methods.attention),
      query: word('[CLS]'),
      layer: word(layerName(strings, 0)),
      head: word(headName(strings, state.head)),
      scale: word(scaleName(strings, state.scale)),
    })}</p>
    <p class="hint">
      <span class="how">${task.hint?.(strings)} ${say(strings.hint, { unit: unitName(strings, state) })}</span>
      <span class="switch">${strings.lines}</span>
      <span>${strings.caution}</span>
    </p>
  </section>`;
}
