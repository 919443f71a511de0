import type { HeadsStrings, HeatmapStrings, TextStrings } from '../../src/elements/index.js';

// Sentences hold their places in braces, so that each language may order them.
const text: Partial<TextStrings> = {};
const heads: Partial<HeadsStrings> = {};
const heatmap: Partial<HeatmapStrings> = {};

export const en = {
  language: 'English',
  title: 'Headlight',
  lead: 'See what a language model makes of a text, and where each of its attention heads looks. It runs in this page; your text stays here.',
  models: 'Models',
  yourText: 'Your text',
  placeholder: 'Type or paste a text',
  examples: 'Or try',
  optional: '(optional)',
  task: 'Task',
  taskSentence: 'Let the model {task}.',
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
  hint: 'Click a {unit}, or use the arrow keys, to let it look instead.',

  verdict: 'Verdict',
  score: 'Score',
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

  ownModel: 'Your own model',
  ownModelHow:
    'Choose a Hugging Face folder, or drop it anywhere on this page: config.json, the tokenizer’s files and the weights. It is read where it lies; nothing is uploaded.',
  ownModelChoose: 'Choose a folder',
  ownModelAddress: 'or the address of such a folder',
  ownModelLoad: 'Load',
  ownModelNone: 'There was no file in it.',
  backToDemo: 'Back to the demo model',
  dropHint: 'Drop a model’s folder or a table of texts anywhere on this page. Nothing is uploaded.',

  // The tasks; each name completes "Let the model …".
  classify: {
    name: 'classify',
    pair: 'Second text',
    noneFound: 'No label above {threshold}',
    hint: '[CLS] is the mark that the verdict is read from.',
  },
  entities: {
    name: 'find entities',
    noneFound: 'No entity found',
    one: '{score}; let it look',
    list: 'As a list',
    entity: 'Entity',
    kind: 'Kind',
    hint: 'Click an entity above to see where it looks.',
  },
  fillMask: {
    name: 'fill in blanks',
    insert: 'Insert a blank',
    noBlank: 'Write {blank} where a word is missing.',
    blankN: 'Blank {n}',
    candidates: 'Candidates for blank {n}',
    look: 'let it look',
    hint: 'The blank looks at what it is guessed from.',
  },
  answer: {
    name: 'answer a question',
    question: 'Question',
    context: 'Text that may hold the answer',
    none: 'No answer in the text',
    answers: 'Answers',
  },
  zeroShot: {
    name: 'choose among labels of your own',
    labels: 'Labels, parted by commas',
    hint: 'The second text is the sentence that the model judges for the first label.',
  },
  nextSentence: {
    name: 'judge whether a sentence follows',
    first: 'First sentence',
    second: 'Second sentence',
    follows: 'Follows',
    doesNot: 'Does not follow',
  },
  rank: {
    name: 'rank texts by a query',
    query: 'Query',
    documents: 'Texts to rank, one a line',
    best: 'The best fits first',
    hint: 'The second text is the one that fits best.',
  },
  similarity: {
    name: 'compare sentences',
    lines: 'Sentences, one a line; the first is compared with the others',
    nearest: 'to line {line}, the nearest; 1 is the same direction',
    more: 'Write a second line to compare with.',
    neighbours: 'The others, nearest first',
    hint: 'The lit text is the first line.',
  },
  attention: {
    name: 'only attend',
    none: 'This model has no head of its own; its attention is shown.',
  },

  table: {
    open: 'Read a table (CSV, TSV, JSON lines)',
    back: 'Back to the table',
  },

  text,
  heads,
  heatmap,
};

export type Strings = typeof en;
