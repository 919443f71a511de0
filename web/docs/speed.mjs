// Measures the demo's model on this device, as bench/measure.mjs does, and fills the table of the page.

import { load } from 'bert-headlight';
import { summary } from '../../bench/statistics.mjs';

const warmUps = 2;
const turns = 9;
const leastMilliseconds = 20; // of one turn, so that the steps of a page's clock do not count

/** Words of one token each; with [CLS] and [SEP] a text of `tokens` tokens. */
const sentence = ['the', 'movie', 'was', 'absolutely', 'fantastic'];
const textOf = (tokens) => Array.from({ length: tokens - 2 }, (_, i) => sentence[i % sentence.length]).join(' ');

const app = new URL('../app/', document.baseURI);
const files = {
  workerUrl: new URL('worker.js', app),
  threadsWorkerUrl: new URL('threads-worker.js', app),
  wasmUrl: {
    simd128: new URL('headlight.wasm', app),
    relaxed: new URL('headlight-relaxed.wasm', app),
    'simd128-threads': new URL('headlight-threads.wasm', app),
    'relaxed-threads': new URL('headlight-relaxed-threads.wasm', app),
  },
};

const element = (id) => document.getElementById(id);
const button = element('measure');
const say = (text) => (element('status').textContent = text);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

let running = null;

button.addEventListener('click', () => {
  if (running) return running.abort();
  running = new AbortController();
  run(running.signal)
    .catch((error) => say(error.name === 'AbortError' ? 'Stopped.' : `${error.message} ${error.advice ?? ''}`))
    .finally(() => {
      running = null;
      button.textContent = 'Measure';
    });
});

async function run(signal) {
  button.textContent = 'Stop';
  element('facts').textContent = '';
  const rows = [...document.querySelectorAll('tr[data-tokens]')];
  for (const row of rows) fill(row, '–', '–');
  const { value: threads } = element('threads');
  const model = await load(new URL('models/sentiment-en/', app), {
    ...files,
    threads: threads === 'auto' ? 'auto' : Number(threads),
    build: element('build').value,
    cache: 'persistent',
    signal,
    onProgress: ({ loaded, total }) => say(`Loading the model: ${megabytes(loaded)} of ${total ? megabytes(total) : '…'} MB`),
  });
  try {
    for (const row of rows) {
      const tokens = Number(row.dataset.tokens);
      say(`Measuring a text of ${tokens} tokens …`);
      const { median, spread } = await measure(model, textOf(tokens), tokens, signal);
      fill(row, `${median.toFixed(1)} ms ± ${(spread * 50).toFixed(0)} %`, (median / Number(row.dataset.ours)).toFixed(2));
    }
    const { build, threads: used, reason } = model.platform;
    element('facts').textContent =
      `Here: ${used === 1 ? '1 thread' : `${used} threads`}, build ${build}, ${navigator.hardwareConcurrency} cores. ${sentenceOf(reason)}`;
    say('Done.');
  } finally {
    model.dispose();
  }
}

async function measure(model, text, tokens, signal) {
  const { ids } = await model.tokenize(text);
  if (ids.length !== tokens) throw new Error(`The text has ${ids.length} tokens, not ${tokens}.`);
  const turn = async (repeats) => {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) await model.classify(text, { signal });
    return (performance.now() - start) / repeats;
  };
  let last;
  for (let i = 0; i < warmUps; i++) last = await turn(1);
  const repeats = Math.min(20, Math.ceil(leastMilliseconds / Math.max(last, 1)));
  const times = [];
  while (times.length < turns) times.push(await turn(repeats));
  return summary(times);
}

function fill(row, here, ratio) {
  row.querySelector('.here').textContent = here;
  row.querySelector('.ratio').textContent = ratio;
}

const sentenceOf = (text) => (text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}.`);
