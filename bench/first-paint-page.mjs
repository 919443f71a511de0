// The page of first-paint.mjs: the package's elements, and maps that are made up.

import { defineElements, meanMap } from '../dist/elements/index.js';

defineElements();

const layers = 12;
const heads = 12;
const cache = new Map();

/** Tokens and maps of n tokens: each row falls off from a place that differs by head, and sums to 1. */
function made(n) {
  if (cache.has(n)) return cache.get(n);
  const tokens = Array.from({ length: n }, (_, i) => {
    const special = i === 0 || i === n - 1;
    const text = special ? (i === 0 ? '[CLS]' : '[SEP]') : `word${i % 100}`;
    return { text, id: i, start: (i - 1) * 8, end: (i - 1) * 8 + 7, sequenceId: special ? -1 : 0, wordId: special ? null : i - 1 };
  });
  const data = new Float32Array(layers * heads * n * n);
  for (let at = 0, row = 0; at < data.length; at += n, row++) {
    const head = Math.floor(row / n) % heads;
    let sum = 0;
    for (let key = 0; key < n; key++) sum += data[at + key] = 1 / (1 + Math.abs(((row + head * 3) % n) - key));
    for (let key = 0; key < n; key++) data[at + key] /= sum;
  }
  const text = tokens.slice(1, -1).map(({ text: word }) => word.padEnd(7)).join(' ');
  const value = { tokens, text, maps: { data, layers, heads, size: n } };
  cache.set(n, value);
  return value;
}

const keep = (tokens) => tokens.flatMap(({ sequenceId }, i) => (sequenceId >= 0 ? [i] : []));

// What each view is given.
globalThis.views = {
  'headlight-text': ({ tokens, text, maps }) => ({ text, tokens, weights: maps.data.slice(0, maps.size), query: 0 }),
  'headlight-heads': ({ tokens, maps }) => ({ maps, keep: keep(tokens), layers, heads }),
  'headlight-heatmap of a map': ({ tokens, maps }) => {
    const names = tokens.map(({ text }) => text);
    return { values: meanMap(maps, 10, 'all'), rows: names, columns: names };
  },
  'headlight-heatmap of a row': ({ tokens, maps }) => ({
    values: Float32Array.from({ length: heads * maps.size }, (_, i) => maps.data[(10 * heads * maps.size + Math.floor(i / maps.size) * maps.size) * maps.size + (i % maps.size)]),
    rows: Array.from({ length: heads }, (_, i) => String(i + 1)),
    columns: tokens.map(({ text }) => text),
  }),
  'headlight-links': ({ tokens, maps }) => ({ maps, tokens, layer: 10, head: 'all' }),
};

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
/** The first moment after a frame was handed over. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));

globalThis.paint = async (view, n) => {
  const given = globalThis.views[view](made(n));
  document.querySelector('main').replaceChildren();
  await frame();
  await frame();
  const element = document.createElement(view.split(' ')[0]);
  const started = performance.now();
  let last = started;
  let longest = 0;
  let watching = true;
  const watch = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
  Object.assign(element, given);
  document.querySelector('main').append(element);
  await element.updateComplete;
  const first = (await painted()) - started;
  const canvases = [...element.renderRoot.querySelectorAll('canvas')];
  const drawn = () => canvases.every(({ width, height }) => width !== 300 || height !== 150);
  while (!drawn() && performance.now() - started < 20_000) await frame();
  const whole = (await painted()) - started;
  watching = false;
  return { first, whole, longest, nodes: element.renderRoot.querySelectorAll('*').length };
};
