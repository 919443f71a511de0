// A model that needs no weights: plausible tokens and attention, the same for the same text. In a page its behaviour
// follows the address: ?mock=hang (loading stops half way), fail (a damaged file), slow (a run takes 0.6 seconds, an explanation of a long text for ever),
// runfail (every run fails), hostile (labels are markup), nomore (what is asked beside it fails), review (every run gives the article's review, with PyTorch's attention of [CLS]).

import { HeadlightError } from '../../web/src/errors.ts';

export { faithfulness } from '../../web/src/faithfulness.ts';
export { HeadlightError };

const layers = 6;
const heads = 12;
const maxLength = 512;
const bytes = 23_400_000;

/** Runs that began, ended and were aborted; tests read it. */
export const runs = { begun: 0, done: 0, aborted: 0, explained: { begun: 0, done: 0, aborted: 0 } };
globalThis.mockRuns = runs;

const wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export async function load(source, { signal, onProgress } = {}) {
  const mode = new URLSearchParams(globalThis.location?.search).get('mock');
  onProgress?.({ phase: 'files', file: 'tokenizer.json', loaded: 700_000, total: null });
  await wait(0, signal);
  onProgress?.({ phase: 'weights', file: 'model.int8.safetensors', loaded: bytes / 2, total: bytes });
  if (mode === 'hang') await wait(1e9, signal);
  if (mode === 'fail') {
    throw new HeadlightError(
      'E_MODEL_TRUNCATED',
      'the header promises 23 400 000 bytes, the file has 11 700 000',
      {
        file: 'models/sentiment-en/model.int8.safetensors',
        tensor: 'bert.encoder.layer.3.output.dense.weight',
        offset: 11_700_000,
      },
    );
  }
  onProgress?.({ phase: 'ready', file: '', loaded: bytes, total: bytes });
  return new MockModel(mode);
}

export const cachedFiles = async () => [];
export const clearCache = async () => 0;

/** Words, Chinese characters and signs; long words in pieces of up to six letters. */
export function mockTokens(text) {
  const tokens = [special('[CLS]', 101)];
  let word = 0;
  let cut = null;
  for (const match of text.matchAll(/[\u3400-\u9fff]|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}]/gu)) {
    const pieces = /^[\p{L}\p{N}\p{M}]+$/u.test(match[0]) ? match[0].match(/.{1,6}/gsu) : [match[0]];
    if (tokens.length + pieces.length > maxLength - 1) {
      cut = match.index;
      break;
    }
    let start = match.index;
    pieces.forEach((piece, i) => {
      const end = start + piece.length;
      tokens.push({
        text: (i ? '##' : '') + piece.toLowerCase(),
        id: 1000 + start,
        start,
        end,
        sequenceId: 0,
        wordId: word,
      });
      start = end;
    });
    word++;
  }
  tokens.push(special('[SEP]', 102));
  return { tokens, cut };
}

const special = (text, id) => ({ text, id, start: 0, end: 0, sequenceId: null, wordId: null });

function mergeWords(text, tokens) {
  const words = [];
  for (const token of tokens) {
    const last = words.at(-1);
    if (last && token.wordId !== null && last.wordId === token.wordId) {
      last.end = token.end;
      last.text = text.slice(last.start, last.end);
    } else {
      words.push(
        token.wordId === null
          ? { ...token }
          : { ...token, id: null, text: text.slice(token.start, token.end) },
      );
    }
  }
  return words;
}

/** A fraction from integers, always the same. */
function noise(a, b, c) {
  let x = (a * 73856093) ^ (b * 19349663) ^ (c * 83492791);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  return ((x ^ (x >>> 12)) >>> 0) / 2 ** 32;
}

/** [layers, heads, n, n]: some heads look at a neighbour, some at themselves, all much at [CLS] and [SEP]; rows sum to 1. */
export function mockAttention(tokens) {
  const n = tokens.length;
  const data = new Float32Array(layers * heads * n * n);
  for (let l = 0; l < layers; l++) {
    for (let h = 0; h < heads; h++) {
      const reach = (h % 4) - 1;
      const sharp = 1 + noise(l, h, 7) * 4;
      for (let q = 0; q < n; q++) {
        const row = ((l * heads + h) * n + q) * n;
        let sum = 0;
        for (let k = 0; k < n; k++) {
          const end = k === 0 || k === n - 1;
          const near = Math.abs(k - q - reach) < 1 ? 3 : 0;
          const score =
            (end ? l * 0.7 : near) + sharp * noise(tokens[k].id, l * heads + h, tokens[q].id % (1 + (h % 3)));
          sum += data[row + k] = Math.exp(score);
        }
        for (let k = 0; k < n; k++) data[row + k] /= sum;
      }
    }
  }
  return data;
}

export function mockResult(text) {
  const { tokens, cut } = mockTokens(text);
  const good = (text.match(/fantastic|beautiful|lovely|admired|like/gi) ?? []).length;
  const bad = (text.match(/never|worse|bad|counting|差/gi) ?? []).length;
  const positive = 1 / (1 + Math.exp(-3.1 * (good - bad) - 1.2));
  const labels = [
    { label: 'POSITIVE', score: positive },
    { label: 'NEGATIVE', score: 1 - positive },
  ].sort((a, b) => b.score - a.score);
  const n = tokens.length;
  return {
    tokens,
    words: mergeWords(text, tokens),
    keys: tokens.map((_, i) => i),
    weights: {
      data: mockAttention(tokens),
      shape: [layers, heads, n, n],
      axes: ['layer', 'head', 'query', 'key'],
    },
    specialShare: [],
    truncated: cut === null ? [] : [{ inPair: false, start: cut }],
    labels,
  };
}

/** tests/data/articles/review-rows.json as a result: the row of [CLS] in the second-to-last layer, zeros elsewhere. */
export function reviewResult({ tokens: names, offsets, layers, cls_rows: rows }) {
  const n = names.length;
  const tokens = names.map((text, i) => {
    const [start, end] = offsets[i];
    return start === end ? special(text, i) : { text, id: i, start, end, sequenceId: 0, wordId: i };
  });
  const data = new Float32Array(layers * rows.length * n * n);
  rows.forEach((row, head) => data.set(row, ((layers - 2) * rows.length + head) * n * n));
  return {
    tokens,
    words: tokens.map((token) => ({ ...token })),
    keys: tokens.map((_, i) => i),
    weights: { data, shape: [layers, rows.length, n, n], axes: ['layer', 'head', 'query', 'key'] },
    specialShare: [],
    truncated: [],
    labels: [
      { label: 'NEGATIVE', score: 0.99 },
      { label: 'POSITIVE', score: 0.01 },
    ],
  };
}

/** Without the heads of a mask: their weights are zero, and each takes from the score. */
function masked(result, headMask) {
  const { data, shape } = result.weights;
  const area = shape[2] * shape[3];
  headMask?.flat().forEach((on, head) => {
    if (on) return;
    data.fill(0, head * area, (head + 1) * area);
    result.labels[0].score -= 0.01;
  });
  return result;
}

/** A label that would run as markup. */
export const hostile = (label) => `<img src=x onerror="document.title='hacked'">${label}`;

class MockModel {
  info = {
    family: 'bert',
    architecture: 'BertForSequenceClassification',
    dtype: 'int8',
    storedDtype: 'I8',
    numHiddenLayers: layers,
    numAttentionHeads: heads,
    hiddenSize: 384,
    intermediateSize: 1536,
    vocabSize: 30522,
    maxLength,
    parameters: 22_714_754,
    weightBytes: bytes,
    problemType: 'single_label_classification',
    labels: ['NEGATIVE', 'POSITIVE'],
    maskToken: '[MASK]',
    tasks: ['classify', 'embed', 'attention', 'forward'],
    sentence: null,
    ignored: [],
  };
  platform = { build: 'relaxed', threads: 1, worker: true, reason: 'the page is not cross-origin isolated' };

  constructor(mode) {
    this.mode = mode;
    if (mode === 'hostile') this.info.labels = this.info.labels.map(hostile);
  }

  labelled(labels) {
    return this.mode === 'hostile' ? labels.map(({ label, score }) => ({ label: hostile(label), score })) : labels;
  }

  async attention(text, { signal, headMask } = {}) {
    runs.begun++;
    try {
      await wait(this.mode === 'slow' ? 600 : 5, signal);
    } catch (reason) {
      runs.aborted++;
      throw reason;
    }
    if (this.mode === 'runfail')
      throw new HeadlightError('E_OUT_OF_MEMORY', 'the maps need 1 208 000 000 bytes');
    runs.done++;
    if (this.mode === 'review') return reviewResult(await (await fetch('./review-rows.json')).json());
    const result = masked(mockResult(text), headMask);
    return { ...result, labels: this.labelled(result.labels) };
  }

  /** The more of the text there is, the surer. */
  async classify(texts, { signal } = {}) {
    await wait(5, signal);
    return texts.map((text) => {
      const score = 1 - 0.5 / (1 + text.length / 10);
      return this.labelled([
        { label: 'POSITIVE', score },
        { label: 'NEGATIVE', score: 1 - score },
      ]);
    });
  }

  /** Scores of both signs that add up to the logit. */
  async explain(text, { method, target = {}, words = false, signal, onProgress } = {}) {
    runs.explained.begun++;
    try {
      await wait(50, signal);
      onProgress?.({ fraction: 0.5 });
      await wait(this.mode !== 'slow' ? 5 : text.length > 300 ? 1e9 : 600, signal);
    } catch (reason) {
      runs.explained.aborted++;
      throw reason;
    }
    runs.explained.done++;
    if (this.mode === 'nomore') throw new HeadlightError('E_OUT_OF_MEMORY', 'the gradients need 1 208 000 000 bytes');
    const { tokens } = mockTokens(text);
    if (method === 'head-importance')
      return { scores: { data: Float32Array.from({ length: 72 }, (_, i) => ((i * 31) % 72) - 36), shape: [6, 12] } };
    const scored = words ? mergeWords(text, tokens) : tokens;
    const data = Float32Array.from(scored, (token, i) => Math.sin(i * 2.3 + (target.label === 'NEGATIVE' ? Math.PI : 0)));
    const gradients = method === 'integrated-gradients';
    return {
      method,
      target: { label: target.label ?? this.info.labels[1], index: 1, token: null, position: null },
      tokens,
      words: mergeWords(text, tokens),
      scores: { data, shape: [scored.length] },
      logit: 3,
      probability: 0.95,
      check: gradients ? { forwardDistance: 0.02, completeness: { baseline: 0, sum: 2.99, error: 0.01 } } : {},
      details: [],
      attentionGradients: [],
      truncated: [],
    };
  }

  /** Queries and keys of one layer: waves, another frequency a token. */
  async forward(text, { layers: [layer], heads: chosen, signal } = {}) {
    await wait(50, signal);
    if (this.mode === 'nomore') throw new HeadlightError('E_OUT_OF_MEMORY', 'the queries need 1 208 000 000 bytes');
    const { tokens } = mockTokens(text);
    const size = 32;
    const shape = [chosen?.length ?? heads, tokens.length, size];
    const wave = (shift) => Float32Array.from({ length: shape[0] * tokens.length * size }, (_, i) => Math.sin(i * (layer + 1) + shift));
    return { queries: [{ data: wave(0), shape }], keys: [{ data: wave(1), shape }] };
  }

  dispose() {}
}
