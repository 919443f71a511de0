// What is chosen, and where it is kept: the address' fragment holds it, so that a link shows the same. The text is
// in the fragment only where somebody shares it; otherwise it stays in this tab.

import type { Choice, LightScale } from '../src/elements/index.js';
import { preferredLanguage, type Language } from './strings/index.js';

export interface State {
  language: Language;
  task: string;
  /** From 0; 'default': the second to last. */
  layer: Choice | 'default';
  head: Choice;
  /** Index of the token that looks; 0 is [CLS]. */
  query: number;
  scale: LightScale;
  /** Scale of the map of heads. */
  mapScale: LightScale;
  pieces: boolean;
  lines: boolean;
  /** The map shown below. */
  map: string;
}

export const initialState = (): State => ({
  language: preferredLanguage(navigator.languages),
  task: 'classify',
  layer: 'default',
  head: 'all',
  query: 0,
  scale: 'brightest',
  mapScale: 'heads',
  pieces: false,
  lines: false,
  map: 'heatmap',
});

const scales: readonly LightScale[] = ['brightest', 'heads', 'none'];

/** A count from 1 as an index from 0, or null. */
const indexOf = (value: string | null): number | null =>
  value !== null && /^[1-9]\d{0,3}$/.test(value) ? Number(value) - 1 : null;

/** Reads a fragment; what it does not say, or says wrongly, stays as it is in `state`. */
export function readFragment(fragment: string, state: State): { state: State; text: string | null } {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const choice = <T>(name: string, other: T): number | 'all' | T =>
    given.get(name) === 'all' ? 'all' : (indexOf(given.get(name)) ?? other);
  const scale = (name: string, other: LightScale) =>
    scales.find((known) => known === given.get(name)) ?? other;
  return {
    text: given.get('text'),
    state: {
      language: given.get('lang') === 'zh' ? 'zh' : given.get('lang') === 'en' ? 'en' : state.language,
      task: given.get('task') ?? state.task,
      layer: choice('layer', state.layer),
      head: choice('head', state.head),
      query: indexOf(given.get('query')) ?? state.query,
      scale: scale('scale', state.scale),
      mapScale: scale('mapscale', state.mapScale),
      pieces: given.has('pieces') ? given.get('pieces') === '1' : state.pieces,
      lines: given.has('lines') ? given.get('lines') === '1' : state.lines,
      map: given.get('map') ?? state.map,
    },
  };
}

/** '#layer=5&head=3': what differs from the beginning, counted from 1 as the page does. */
export function writeFragment(state: State, text: string | null): string {
  const start = initialState();
  const entries: [string, string][] = [];
  const say = (name: string, key: keyof State, value: string) => {
    if (state[key] !== start[key]) entries.push([name, value]);
  };
  const count = (choice: Choice | 'default') => (typeof choice === 'number' ? String(choice + 1) : choice);
  say('lang', 'language', state.language);
  say('task', 'task', state.task);
  say('layer', 'layer', count(state.layer));
  say('head', 'head', count(state.head));
  say('query', 'query', String(state.query + 1));
  say('scale', 'scale', state.scale);
  say('mapscale', 'mapScale', state.mapScale);
  say('pieces', 'pieces', state.pieces ? '1' : '0');
  say('lines', 'lines', state.lines ? '1' : '0');
  say('map', 'map', state.map);
  if (text !== null) entries.push(['text', text]);
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
export const keptText = (): string | null => (keepsText() ? (storage()?.getItem(TEXT) ?? null) : null);

export function keepText(text: string): void {
  try {
    if (keepsText()) storage()?.setItem(TEXT, text);
  } catch {
    // The storage is full.
  }
}

/** Off: forgets the text at once. */
export function setKeepsText(on: boolean): void {
  storage()?.setItem(KEEP, on ? 'yes' : 'no');
  if (!on) storage()?.removeItem(TEXT);
}
