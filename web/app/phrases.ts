// Pieces of the sentences on the page.

import { html, type TemplateResult } from 'lit';
import { headsOf, type AttentionMaps, type Choice, type HeadPlace, type LightScale, type Reduction } from '../src/elements/index.js';
import type { Places } from './lit.js';
import type { State } from './state.js';
import type { Strings } from './strings/index.js';

// A place and the sign that follows it: a menu stays on one line with it.
const place = /\{(\w+)\}([,.;，。、]?)/;

/** A sentence with templates in its places. */
export function phrase(sentence: string, parts: Record<string, unknown>): TemplateResult {
  const pieces = sentence.split(place);
  return html`${pieces.map((piece, i) => {
    if (i % 3 === 0) return piece;
    if (i % 3 === 2) return '';
    const part = parts[piece] ?? piece;
    if (typeof part === 'string') return part + pieces[i + 1];
    return html`<span class="together">${part}${pieces[i + 1]}</span>`;
  })}`;
}

/** A sentence with texts in its places. */
export const say = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** A sentence about one thing, and about several. */
export interface Forms {
  one: string;
  other: string;
}

/** The form that a number needs, with the number and other texts in its places. */
export const counted = ({ one, other }: Forms, n: number, values: Record<string, string | number> = {}): string =>
  say(n === 1 ? one : other, { n: count(n), ...values });

/** The page counts layers and heads from 1. */
export const layerName = (strings: Strings, layer: Choice): string =>
  layer === 'all' ? strings.allLayers : say(strings.layerN, { n: layer + 1 });

export const headName = (strings: Strings, head: Choice): string =>
  head === 'all' ? strings.allHeads : say(strings.headN, { n: head + 1 });

/** The same, and that the layer lacks it where it was pruned. */
export const headNameIn = (strings: Strings, maps: AttentionMaps, layer: Choice, head: number): string => {
  const name = headName(strings, head);
  return headsOf(maps, layer).includes(head) ? name : say(strings.headPruned, { head: name });
};

export const placeName = (strings: Strings, { layer, head }: HeadPlace): string =>
  say(strings.placesOne, { layer: layerName(strings, layer), head: headName(strings, head) });

/** So many heads of a mix are named one by one. */
const NAMED = 4;

/** 'layer 5 · all heads', 'layer 5, head 3 + layer 6, head 1'; where the largest of several is taken, it is said. */
export function placesName(
  strings: Strings,
  { layer, head, mix }: Places,
  reduce: Reduction,
  between = ' · ',
): string {
  const named = mix.slice(0, NAMED).map((place) => placeName(strings, place));
  if (mix.length > NAMED) named.push(say(strings.moreHeads, { n: mix.length - NAMED }));
  const parts = mix.length > 0 ? [named.join(' + ')] : [layerName(strings, layer as Choice), headName(strings, head)];
  if (reduce === 'max' && isSeveral({ layer, head, mix })) parts.push(strings.reductions.max);
  return parts.join(between);
}

/** Whether heads or layers are combined. */
export const isSeveral = ({ layer, head, mix }: Places): boolean =>
  mix.length > 1 || (mix.length === 0 && (layer === 'all' || head === 'all'));

export const unitName = (strings: Strings, state: State): string =>
  state.pieces ? strings.piece : strings.word;

export const unitsName = (strings: Strings, state: State): string =>
  state.pieces ? strings.units.piece : strings.units.word;

export const scaleName = (strings: Strings, scale: LightScale): string =>
  ({ brightest: strings.scaleBrightest, heads: strings.scaleHeads, none: strings.scaleNone })[scale];

export const scales: readonly LightScale[] = ['brightest', 'heads', 'none'];

/** '23.1 MB'; a MB is a million bytes. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)}\u202fMB`;

/** '840 B', '12.3 KB' or as megabytes. */
export const fileSize = (bytes: number): string =>
  bytes < 1000 ? `${bytes}\u202fB` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)}\u202fKB` : megabytes(bytes);

/** '99.9 %'; what is not all is not rounded to 100. */
export const percent = (share: number): string =>
  share < 1 && share >= 0.9995 ? '>99.9\u202f%' : `${(share * 100).toFixed(1)}\u202f%`;

/** As a share; of a score without bounds, a regression's for instance, the number. */
export const scoreText = (score: number): string => (score >= 0 && score <= 1 ? percent(score) : score.toFixed(3));

/** '12 s', '5 min' */
export const duration = (strings: Strings, seconds: number): string =>
  seconds < 100
    ? say(strings.seconds, { n: Math.max(1, Math.ceil(seconds)) })
    : say(strings.minutes, { n: Math.ceil(seconds / 60) });

/** '10,000' */
export const count = (n: number): string => n.toLocaleString('en');
