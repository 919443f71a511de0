import type { HeadsStrings, HeatmapStrings, TextStrings } from '../../src/elements/index.js';

// Sentences hold their places in braces, so that each language may order them.
const text: Partial<TextStrings> = {};
const heads: Partial<HeadsStrings> = {};
const heatmap: Partial<HeatmapStrings> = {};

export const en = {
  language: 'English',
  title: 'Headlight',
  lead: 'See what a language model makes of a text, and where each of its attention heads looks. It runs in this page; your text stays here.',
  yourText: 'Your text',
  placeholder: 'Type or paste a text',
  examples: 'Or try',
  keep: 'Keep my text in this tab',
  copyLink: 'Copy link with text',
  copied: 'Copied. Whoever has the link can read the text.',
  copyFailed: 'The browser did not allow copying. The link is in the address bar now.',

  // The controls, one sentence.
  sentence: 'Light each {unit} by what {query} pays it in {layer}, {head}, {scale}.',
  unit: 'Unit',
  word: 'word',
  piece: 'piece',
  query: 'Token that looks',
  layer: 'Layer',
  layerN: 'layer {n}',
  allLayers: 'all layers',
  head: 'Head',
  headN: 'head {n}',
  allHeads: 'all heads',
  scale: 'Scale',
  scaleBrightest: 'scaled to the brightest',
  scaleHeads: 'scaled per token over the heads',
  scaleNone: 'unscaled',
  lines: 'Draw lines',
  caption: 'what {query} pays · {layer} · {head}',
  captionHeads: 'what {query} pays · {layer} · {head} · 1 where it pays most of all heads',
  hint: '[CLS] is the mark that the verdict is read from. Click a {unit}, or use the arrow keys, to let it look instead.',

  verdict: 'Verdict',
  noVerdict: 'This model has no classifier; its attention is shown.',
  score: '{label}, {score}',
  tokens: '{n} tokens',
  milliseconds: '{n} ms',
  threads: { one: '1 thread', other: '{n} threads' },
  loaded: '{size} loaded',
  precision: '{dtype}',
  caution: 'Attention shows where heads look; it does not prove why the model decides.',

  cut: 'The model takes {max} tokens. What is struck through was not read.',
  empty: 'Nothing to read yet. Type a text above, or try an example.',
  loading: 'Loading the model',
  loadingSize: '{loaded} of {total}',
  loadingExample: 'Until it is here, the example shows an earlier run.',
  waiting: 'Your text is read as soon as the model is here.',
  stop: 'Stop',
  stopped: 'Loading was stopped after {loaded}.',
  load: 'Load the model',
  retry: 'Try again',
  errorTitle: 'That did not work',
  errorPlace: 'Where: {place}',
  byte: 'byte {n}',
  unknownAdvice: 'Reload the page; if it happens again, report it with this message.',

  headsTitle: 'All heads',
  headsHint: 'Layers down, heads across. Point at one and it lights the text; click to stay.',
  headsHintTouch: 'Swipe; tap a head and it lights the text.',
  maps: 'Maps',
  mapHeads: 'Heads × {units}',
  mapTokens: 'Who looks at whom',
  units: { word: 'words', piece: 'pieces' },
  mapHeadsSentence: 'What {query} pays each {unit} in {layer}, one row a head, {scale}.',
  mapTokensSentence:
    'What each {unit} (row) pays every other (column) in {layer}, {head}. Click a row to let it look.',
  headRow: 'Head',
  headRowN: 'head {n}',
  looks: 'looks',
  lookedAt: 'looked at',
  save: 'Save as',

  ownModel: 'Use a model of your own',
  ownModelHow:
    'Drop a Hugging Face folder anywhere on this page: config.json, the tokenizer’s files and model.safetensors. Nothing is uploaded.',
  ownModelChoose: 'Choose a folder',
  ownModelNone: 'There was no file in it.',
  modelName: 'Model',
  backToDemo: 'Back to the demo model',

  text,
  heads,
  heatmap,
};

export type Strings = typeof en;
