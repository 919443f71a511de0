// What is chosen, and where it is kept: the address' fragment holds it, so that a link shows the same. The text is
// in the fragment only where somebody shares it; otherwise it stays in this tab.

import type { Choice, Direction, HeadPlace, LightScale, Reduction } from '../src/elements/index.js';
import { readHeads, writeHeads } from './heads-off.js';
import { scales } from './phrases.js';
import { demos, fieldNames, type Fields } from './registry.js';
import { preferredLanguage, type Language } from './strings/index.js';

export interface State {
  language: Language;
  demo: string;
  /** Of those that fit the model; '': the first. */
  task: string;
  /** What lights the text: attention, or a method of explanation; 'default', or a name that does not fit: as the task has it. */
  by: string;
  /** The label that is explained; a name that there is not: the likeliest. */
  target: string;
  /** From 0; 'default': the second to last. */
  layer: Choice | 'default';
  head: Choice;
  /** Heads picked one by one, in place of `layer` and `head` where there are any. */
  mix: readonly HeadPlace[];
  /** How several heads are combined. */
  reduce: Reduction;
  /** What the one that looks pays, or what it gets. */
  direction: Direction;
  /** Heads that are switched off. */
  off: readonly HeadPlace[];
  /** Index of the token that looks; 'default' as the task has it, mostly [CLS]. */
  query: number | 'default';
  scale: LightScale;
  /** Scale of the map of heads. */
  mapScale: LightScale;
  pieces: boolean;
  lines: boolean;
  /** The map shown below. */
  map: string;
  /** What the heads are measured by; a name that there is not: the first. */
  measure: string;
  /** What is shown of queries and keys, likewise. */
  neurons: string;
}

export const initialState = (): State => ({
  language: preferredLanguage(navigator.languages),
  demo: demos[0]!.id,
  task: '',
  by: 'default',
  target: '',
  layer: 'default',
  head: 'all',
  mix: [],
  reduce: 'mean',
  direction: 'from',
  off: [],
  query: 'default',
  scale: 'brightest',
  mapScale: 'heads',
  pieces: false,
  lines: false,
  map: 'heatmap',
  measure: 'previous',
  neurons: 'product',
});

/** What is not taken along to another model. */
export const ofOneModel = { task: '', query: 'default', mix: [], off: [] } as const;

/** A count from 1 as an index from 0, or null. */
const indexOf = (value: string | null): number | null =>
  value !== null && /^[1-9]\d{0,3}$/.test(value) ? Number(value) - 1 : null;

/** What only attention has: a link that names it is about attention, unless it says otherwise. */
const ofAttention = ['layer', 'head', 'mix', 'reduce', 'direction', 'query', 'scale', 'lines'] as const;

/** Reads a fragment; what it does not say, or says wrongly, stays as it is in `state`. */
export function readFragment(fragment: string, state: State): { state: State; fields: Partial<Fields> | null } {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const choice = <T>(name: string, other: T): number | 'all' | T =>
    given.get(name) === 'all' ? 'all' : (indexOf(given.get(name)) ?? other);
  const scale = (name: string, other: LightScale) =>
    scales.find((known) => known === given.get(name)) ?? other;
  const fields = fieldNames.filter((name) => given.has(name)).map((name) => [name, given.get(name)]);
  return {
    fields: fields.length > 0 ? (Object.fromEntries(fields) as Partial<Fields>) : null,
    state: {
      language: given.get('lang') === 'zh' ? 'zh' : given.get('lang') === 'en' ? 'en' : state.language,
      demo: demos.find(({ id }) => id === given.get('demo'))?.id ?? state.demo,
      task: given.get('task') ?? state.task,
      by: given.get('by') ?? (ofAttention.some((name) => given.has(name)) ? 'attention' : state.by),
      target: given.get('target') ?? state.target,
      layer: choice('layer', state.layer),
      head: choice('head', state.head),
      mix: given.has('mix') ? readHeads(given.get('mix')!) : state.mix,
      reduce: given.get('reduce') === 'max' ? 'max' : state.reduce,
      direction: given.get('direction') === 'to' ? 'to' : state.direction,
      off: given.has('off') ? readHeads(given.get('off')!) : state.off,
      query: indexOf(given.get('query')) ?? state.query,
      scale: scale('scale', state.scale),
      mapScale: scale('mapscale', state.mapScale),
      pieces: given.has('pieces') ? given.get('pieces') === '1' : state.pieces,
      lines: given.has('lines') ? given.get('lines') === '1' : state.lines,
      map: given.get('map') ?? state.map,
      measure: given.get('measure') ?? state.measure,
      neurons: given.get('neurons') ?? state.neurons,
    },
  };
}

/** '#layer=5&head=3': what differs from the beginning, counted from 1 as the page does. */
export function writeFragment(state: State, fields: Fields | null): string {
  const start = initialState();
  const entries: [string, string][] = [];
  const say = (name: string, key: keyof State, value: string) => {
    if (state[key] !== start[key]) entries.push([name, value]);
  };
  const count = (choice: number | string) => (typeof choice === 'number' ? String(choice + 1) : choice);
  say('lang', 'language', state.language);
  say('demo', 'demo', state.demo);
  say('task', 'task', state.task);
  say('by', 'by', state.by);
  say('target', 'target', state.target);
  say('layer', 'layer', count(state.layer));
  say('head', 'head', count(state.head));
  if (state.mix.length > 0) entries.push(['mix', writeHeads(state.mix)]);
  say('reduce', 'reduce', state.reduce);
  say('direction', 'direction', state.direction);
  if (state.off.length > 0) entries.push(['off', writeHeads(state.off)]);
  say('query', 'query', count(state.query));
  say('scale', 'scale', state.scale);
  say('mapscale', 'mapScale', state.mapScale);
  say('pieces', 'pieces', state.pieces ? '1' : '0');
  say('lines', 'lines', state.lines ? '1' : '0');
  say('map', 'map', state.map);
  say('measure', 'measure', state.measure);
  say('neurons', 'neurons', state.neurons);
  if (fields) for (const name of fieldNames) if (fields[name]) entries.push([name, fields[name]]);
  const fragment = new URLSearchParams(entries).toString();
  return fragment ? `#${fragment}` : '';
}

// Storage may be refused; then the text is simply not kept.
const storage = (): Storage | null => {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
};
const TEXT = 'headlight.text';
const KEEP = 'headlight.keep';

export const keepsText = (): boolean => storage()?.getItem(KEEP) !== 'no';

/** All that is kept, by what it was typed for. */
function allKept(): Record<string, Fields> {
  try {
    return JSON.parse(storage()?.getItem(TEXT) ?? '{}') as Record<string, Fields>;
  } catch {
    return {};
  }
}

/** What was typed in this tab for a demo or task, or null. */
export const keptFields = (key: string): Fields | null => (keepsText() && allKept()[key]) || null;

export function keepFields(key: string, fields: Fields): void {
  try {
    if (keepsText()) storage()?.setItem(TEXT, JSON.stringify({ ...allKept(), [key]: fields }));
  } catch {
    // The storage is full.
  }
}

/** Off: forgets the text at once. */
export function setKeepsText(on: boolean): void {
  storage()?.setItem(KEEP, on ? 'yes' : 'no');
  if (!on) storage()?.removeItem(TEXT);
}
