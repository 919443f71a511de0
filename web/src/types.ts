// The public types: what calls take and what they return.

import type { Build, ShippedBuild, WasmUrl } from './build-names.js';
import type { AxesOf, EmbeddingShapeOf, EntityOf, ForwardedOf, Only, SizesOf } from './narrow.js';
import type { DirectoryHandle, ModelSource } from './source.js';

// ---------------------------------------------------------------------------------------------
// Text

/** A text, or a pair of texts that are judged together. A lone surrogate counts as one U+FFFD. */
export type Input = string | { text: string; textPair?: string };

/** Hugging Face's truncation strategies; `false` truncates nothing. */
export type Truncation = 'longest_first' | 'only_first' | 'only_second' | false;

export interface TokenizeOptions {
  /** The other text of a pair, where the input is one string. */
  textPair?: string;
  /** Default true. */
  addSpecialTokens?: boolean;
  /** In tokens, special ones included; `truncation` and `padding` need it. */
  maxLength?: number;
  /** Default false. */
  truncation?: Truncation;
  /** 'maxLength' fills up with padding tokens; default false. */
  padding?: 'maxLength' | false;
  /** Tokens that a window of `overflow` shares with the one before; default 0. */
  stride?: number;
  /** 'text' reads "[SEP]" in the text as text rather than as the token; default 'parse', as Hugging Face. */
  specialTokensInText?: 'parse' | 'text';
}

/** A half-open range [start, end). */
export type Offsets = [start: number, end: number];

/**
 * Parallel arrays, one entry a token. Offsets are within the token's own text (see `sequenceIds`);
 * special tokens and padding have the empty range [0, 0].
 */
export interface Encoding {
  ids: number[];
  /** As the vocabulary spells them, '##ing'. */
  tokens: string[];
  /** In UTF-16 units: `text.slice(start, end)` is the token's text. */
  offsets: Offsets[];
  /** In code points, as Python counts. */
  codePointOffsets: Offsets[];
  /** Word within its own text; null at special tokens and padding. */
  wordIds: (number | null)[];
  /** 0 text, 1 textPair; null at special tokens and padding. */
  sequenceIds: (0 | 1 | null)[];
  typeIds: number[];
  /** 1 token, 0 padding. */
  attentionMask: number[];
  /** 1 at special tokens and padding. */
  specialTokensMask: number[];
  /** What truncation cut off, in windows of `maxLength` tokens. */
  overflow: Encoding[];
}

/** Turns text into token ids as Hugging Face's tokenizers do. */
export interface Tokenizer {
  tokenize(input: Input, options?: TokenizeOptions): Promise<Encoding>;
  tokenize(inputs: readonly Input[], options?: TokenizeOptions): Promise<Encoding[]>;
  /** `skipSpecialTokens` defaults to true. Throws E_INVALID_ARGUMENT for an id outside the vocabulary. */
  decode(ids: readonly number[], options?: { skipSpecialTokens?: boolean }): Promise<string>;
  /** null for a token that the vocabulary does not have. */
  tokenToId(token: string): Promise<number | null>;
  /** null for an id outside the vocabulary. */
  idToToken(id: number): Promise<string | null>;
  /** Lets go of all memory; calls after it throw E_DISPOSED. */
  dispose(): void;
}

// ---------------------------------------------------------------------------------------------
// Calls

/** How far a call is, from 0 to 1; never falls. */
export interface RunProgress {
  fraction: number;
}

/** What every call takes. */
export interface RunOptions {
  /** An aborted call rejects with the signal's reason, by default a DOMException named AbortError. */
  signal?: AbortSignal;
  onProgress?: (progress: RunProgress) => void;
}

/**
 * What is done with a text of more tokens than the model takes: it is cut, read in windows that share some tokens, or
 * refused with E_TOO_LONG.
 */
export type Overlong = 'truncate' | 'window' | 'error';

/** What truncation left out of one text: the text from UTF-16 unit `start` on was not read. */
export interface Cut {
  /** Of `textPair` rather than `text`. */
  inPair: boolean;
  start: number;
}

/** Row-major. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

export interface LabelScore {
  label: string;
  /** Softmax or sigmoid, 0 to 1; of a regression the value itself. */
  score: number;
}

/** Labels by falling score. */
export type Classification = Results<LabelScore>;

/** How a task reads its texts. */
export interface TextOptions extends Pick<TokenizeOptions, 'specialTokensInText'> {
  /** Default 'truncate'. */
  overlong?: Exclude<Overlong, 'window'>;
  /** Tokens at most, special ones included; more than the model takes counts as the model's, which is the default. */
  maxLength?: number;
  /**
   * What each head's attention is multiplied by, as transformers' head_mask: one list a layer of a number a head, from
   * 0 (off) to 1.
   */
  headMask?: readonly (readonly number[])[];
}

/** How a task that knows windows reads its texts. */
export interface WindowOptions extends Omit<TextOptions, 'overlong'> {
  /** Default 'truncate'. Of a pair the windows run over `textPair`. */
  overlong?: Overlong;
  /** Tokens that a window shares with the one before; default half of `maxLength`, at most 128. */
  stride?: number;
}

/** A list of results. `truncated` is not enumerable: JSON and spreading show the results alone. */
export type Results<Result> = Result[] & { readonly truncated: Cut[] };

/** Over windows the mean of their logits is what is scored. */
export interface ClassifyOptions extends RunOptions, WindowOptions {
  /** How many labels to return; all without it. */
  topK?: number;
  /** Labels of a lower score are left out; of probabilities 0 to 1. */
  threshold?: number;
  /** From logits to scores; without it as the model's problem type has it. */
  functionToApply?: 'softmax' | 'sigmoid' | 'none';
}

/**
 * 'none' gives every token. The others merge neighbours of the same entity: 'simple' token by token; 'first', 'average'
 * and 'max' after the tokens of a word have agreed on the first one's label, the best mean score, the best score; all as
 * Hugging Face's pipeline. 'word' does as 'average' over the tokenizer's own words, which it never cuts, and gives the
 * text as it stands.
 */
export type Aggregation = 'none' | 'simple' | 'first' | 'average' | 'max' | 'word';

/** Over windows a token's scores are those of the window where it stands farthest from an edge. */
export interface EntityOptions extends RunOptions, WindowOptions {
  /** Default 'none'. */
  aggregation?: Aggregation;
  /** Entities of these names are left out; default ['O']. */
  ignoreLabels?: readonly string[];
}

export interface Entity {
  /** The label; merged without its B-, I-, E-, S-, L- or U-. */
  entity: string;
  /** 0 to 1; merged: the mean of what it is made of. */
  score: number;
  /** The token; merged: its tokens put together; with 'word' `text.slice(start, end)`. */
  word: string;
  /** UTF-16 units. */
  start: number;
  end: number;
  /** Of the token, special ones included; not there when merged. */
  index?: number;
}

export interface FillMaskOptions extends RunOptions, Omit<TextOptions, 'specialTokensInText'> {
  /** Default 5. */
  topK?: number;
  /** Words to choose from, as the vocabulary spells them or as texts of one token; all without it. */
  targets?: readonly string[];
}

export interface FilledMask {
  /** Among the whole vocabulary, 0 to 1. */
  score: number;
  /** The token's id. */
  token: number;
  tokenText: string;
  /** The text with the mask filled; where there are several masks, with its special tokens. */
  sequence: string;
}

/** A list by falling score; of a text with several masks one list a mask. */
export type FilledMasks = Results<FilledMask> | Results<FilledMask[]>;

export interface Question {
  question: string;
  context: string;
}

export interface AnswerOptions extends RunOptions, WindowOptions {
  /** Default 1. */
  topK?: number;
  /** In tokens; default 15. */
  maxAnswerLength?: number;
  /** The empty answer competes; default false. */
  allowNoAnswer?: boolean;
  /** An answer that begins or ends within a word takes in all of it; default true. */
  alignToWords?: boolean;
  /** Default 'window'. */
  overlong?: Overlong;
  /** Default 384, or what the model takes. */
  maxLength?: number;
}

export interface Answer {
  /** `context.slice(start, end)`; empty: there is none. */
  answer: string;
  /** Probability of its first times that of its last token; spans of the same text add up. */
  score: number;
  start: number;
  end: number;
}

export interface NextSentenceOptions extends RunOptions, TextOptions {}

export interface NextSentence {
  isNext: boolean;
  /** Probability that textPair follows text. */
  score: number;
  truncated: Cut[];
}

export interface EmbedOptions extends RunOptions, TextOptions {
  /**
   * Over all tokens, special ones included; 'none' gives a vector a token. Without it as a folder of
   * sentence-transformers says, else 'mean'.
   */
  pooling?: 'mean' | 'cls' | 'max' | 'none';
  /** The hidden state, 0 … numHiddenLayers; negatives count from the end; default the last. */
  layer?: number;
  /** To length 1; without it as the folder says, else false. */
  normalize?: boolean;
  /** Put before the text; '' for none. Without it the folder's default prompt, where there is one. */
  prompt?: string;
  /** One of `info.sentence.prompts`. */
  promptName?: string;
  /** Of a model that tells tasks apart (ERNIE), default 0. */
  taskTypeId?: number;
}

/** [size]; with pooling 'none' [n, hidden_size]. */
export interface Embedding<Shape extends number[] = number[]> extends Tensor {
  shape: Shape;
  truncated: Cut[];
}

export interface ZeroShotOptions extends RunOptions, TextOptions {
  /** {} is the label; default 'This example is {}.' */
  hypothesisTemplate?: string;
  /** Each label on its own instead of one of them; default false. */
  multiLabel?: boolean;
}

/** Labels by falling score, and their scores. */
export interface ZeroShot {
  labels: string[];
  scores: number[];
  truncated: Cut[];
}

export interface RankOptions extends RunOptions, TextOptions {
  /** All without it. */
  topK?: number;
}

export interface Ranked {
  /** In the list that was given. */
  index: number;
  score: number;
}

export interface ForwardOptions
  extends
    RunOptions,
    Pick<TokenizeOptions, 'addSpecialTokens' | 'maxLength' | 'truncation' | 'padding' | 'specialTokensInText'> {
  /** Default true, where the model has a head. */
  logits?: boolean;
  /** Each of these defaults to false. */
  lastHiddenState?: boolean;
  poolerOutput?: boolean;
  hiddenStates?: boolean;
  attentions?: boolean;
  queriesKeysValues?: boolean;
  /** Layers of attentions, queries, keys and values; negatives count from the end; all without it. */
  layers?: readonly number[];
  heads?: readonly number[];
  /** Attentions as they are, without an n × n matrix: for long texts and models whose attention is sparse. */
  compactAttentions?: boolean;
  /**
   * Of a model whose attention is a window (Longformer): positions of the tokens that see, and are seen by, all others.
   * Without it, as the model's head has it: the first token for classification, the question for question answering.
   */
  globalTokens?: readonly number[];
  /** As in `TextOptions`. */
  headMask?: readonly (readonly number[])[];
  /** Of a model that tells tasks apart (ERNIE), default 0. */
  taskTypeId?: number;
}

/**
 * One layer's attention, of each query only the keys that it sees. Query i sees the keys of
 * `ranges.slice(firstRange[i], firstRange[i + 1])`, in that order; its weights begin at `firstWeight[i]`.
 */
export interface CompactAttention {
  /** n + 1 indices. */
  firstRange: number[];
  /** [start, end) among the keys. */
  ranges: [number, number][];
  /** n + 1 indices. */
  firstWeight: number[];
  /** [heads, firstWeight[n]] */
  weights: Tensor;
}

/** n: tokens that are not padding. What was not asked for, or what the model does not have, is absent. */
export interface ForwardResult {
  /** [labels]; a head per token [n, labels], with a single label [n]; masked language model [n, vocab_size]. */
  logits?: Tensor;
  /** [n], question answering. */
  startLogits?: Tensor;
  endLogits?: Tensor;
  /** [n, hidden_size] */
  lastHiddenState?: Tensor;
  /** [hidden_size] */
  poolerOutput?: Tensor;
  /** [num_hidden_layers + 1, n, hidden_size]; 0 is the embeddings' output. */
  hiddenStates?: Tensor;
  /** One [heads, n, n] a layer asked for: row = query, column = key. */
  attentions?: Tensor[];
  /** One a layer asked for. */
  compactAttentions?: CompactAttention[];
  /** One [heads, n, head_size] a layer asked for. */
  queries?: Tensor[];
  keys?: Tensor[];
  values?: Tensor[];
}

export type AttentionAxis = 'layer' | 'head' | 'query' | 'key';

export interface AttentionOptions extends RunOptions, TextOptions {
  /** Whose attention: the first token, a token by index (with `words` a word), or all. Default 'cls'. */
  query?: 'cls' | number | 'all';
  /** All without it; negatives count from the end. */
  layers?: readonly number[];
  heads?: readonly number[];
  /**
   * Default 'none'. Of a pruned model 'mean' is the mean over those of the heads that the layer still has, 0 where it has
   * none of them. Heads that are not reduced, or are after `reduceLayers`, are 0 where they are gone.
   */
  reduceHeads?: 'none' | 'mean' | 'max';
  reduceLayers?: 'none' | 'mean' | 'max';
  /**
   * 'minmax-heads' brings each key's weights over the heads to 0 … 1 as scikit-learn's MinMaxScaler does (a
   * constant column gives 0); 'sum' divides each row of keys by its sum. Default 'none'.
   */
  scale?: 'none' | 'minmax-heads' | 'sum';
  /** Keep special tokens among the keys (and queries); default false. */
  specialTokens?: boolean;
  /** Merge the pieces of a word: sum over keys, mean over queries; default false. */
  words?: boolean;
}

export interface AttendedToken {
  /** The token as the vocabulary spells it; of a word, its text in the input. */
  text: string;
  /** null for a word. */
  id: number | null;
  /** UTF-16 units within its own text. */
  start: number;
  end: number;
  /** 0 text, 1 textPair, null special. */
  sequenceId: 0 | 1 | null;
  /** Word within its own text, null special. */
  wordId: number | null;
}

export interface AttentionResult<Axes extends readonly AttentionAxis[] = AttentionAxis[]> {
  /** All tokens, special ones included, in the model's order. */
  tokens: AttendedToken[];
  /** All words and special tokens, in the same order. */
  words: AttendedToken[];
  /** Which of `tokens` (with the option `words`: of `words`) the key axis holds. */
  keys: number[];
  /** `axes` name the dimensions left, e.g. ['head', 'key']. */
  weights: Tensor & { axes: Axes; shape: SizesOf<Axes> };
  /** Share of its attention that the query gave to each special token; `index` into `tokens`. */
  specialShare: { index: number; share: number }[];
  truncated: Cut[];
  /** The classification of the same run, where the model classifies. */
  labels: LabelScore[];
}

/**
 * - 'gradient-input': the target logit's gradient by the embeddings' output, times that output (Simonyan et al. 2013)
 * - 'integrated-gradients': the same along the way from a baseline (Sundararajan et al. 2017)
 * - 'relevance': attention times its gradient through the layers (Chefer et al. 2021)
 * - 'rollout', 'flow': attention through the layers (Abnar and Zuidema 2020); flow for at most 128 tokens
 * - 'norms': attention weighed by the values' norms (Kobayashi et al. 2020)
 * - 'value-zeroing': how far a token's representation moves without another's value (Mohebbi et al. 2023)
 * - 'occlusion': how far the target's logit falls without a token
 * - 'head-importance': the target's gradient by a mask of each head (Michel et al. 2019)
 */
export type ExplainMethod =
  | 'gradient-input'
  | 'integrated-gradients'
  | 'relevance'
  | 'rollout'
  | 'flow'
  | 'norms'
  | 'value-zeroing'
  | 'occlusion'
  | 'head-importance';

/** What is explained: one logit. What is left out is that of the greatest logit. */
export interface ExplainTarget {
  /** A label by name or index; of a masked language model a token by text or id. */
  label?: string | number;
  /** Of a model that reads every token: which, by index with special tokens. */
  token?: number;
  /** Question answering: where the answer starts (default) or ends. */
  position?: 'start' | 'end';
}

export interface ExplainOptions extends RunOptions, TextOptions {
  /** Default 'integrated-gradients'. */
  method?: ExplainMethod;
  target?: ExplainTarget;
  /** Scores of words, the sums over their tokens, instead of tokens; occlusion takes a word out at once. Default false. */
  words?: boolean;
  /** Of integrated gradients, 1 to 1000; default 50. */
  steps?: number;
  /** Of integrated gradients: a zero output of the embeddings (default), or padding tokens in place of all but special ones. */
  baseline?: 'zero' | 'padding';
  /** Of occlusion: a mask token takes a token's place (default), or none does. */
  occlude?: 'mask' | 'remove';
  /** Also what the scores are sums of; default false. */
  details?: boolean;
  /** With 'gradient-input': also the gradients of all attention probabilities; default false. */
  attentionGradients?: boolean;
  /** As in `forward`. */
  globalTokens?: readonly number[];
  taskTypeId?: number;
}

export interface Explanation {
  method: ExplainMethod;
  /** null: not of this model, or the method looks at attention alone. */
  target: {
    label: string | null;
    /** Of the label; of a masked language model the token's id. */
    index: number | null;
    token: number | null;
    position: 'start' | 'end' | null;
  };
  /** All tokens, special ones included. */
  tokens: AttendedToken[];
  /** All words and special tokens, in the same order. */
  words: AttendedToken[];
  /**
   * One a token, or with the option `words` a word: its part in the target's logit; of methods that look at attention
   * alone, in the representation of the target's token, by default the first. 'head-importance': [layers, heads].
   */
  scores: Tensor;
  /** 'occlusion': how far the target's probability falls; parallel to `scores`. */
  probabilityScores?: Tensor;
  /** The target's, and what it gives as a probability; null where attention alone is looked at. */
  logit: number | null;
  probability: number | null;
  check: {
    /** The greatest distance of these logits, of float32 activations, from those of the ordinary run of int8 weights. */
    forwardDistance?: number;
    /** 'integrated-gradients': error = (logit - baseline) - sum; baseline: the target's logit there. */
    completeness?: { baseline: number; sum: number; error: number };
  };
  /**
   * With the option `details`: 'gradient-input' the gradient [n, e] of the embeddings' output, 'integrated-gradients' the
   * attributions [n, e]; 'relevance', 'rollout' [n, n]; 'norms' one [heads, n, n] a layer, 'value-zeroing' one [n, n].
   */
  details: Tensor[];
  /** One [heads, n, n] a layer. */
  attentionGradients: Tensor[];
  truncated: Cut[];
}

// ---------------------------------------------------------------------------------------------
// The model

export interface ModelInfo {
  /** config.json's model_type. */
  family: string;
  /** 'BertForSequenceClassification'; empty for a bare encoder. */
  architecture: string;
  /** Of the weights as they run: 'float32' or 'int8'. */
  dtype: string;
  /** Of the weights as stored: 'F16'. */
  storedDtype: string;
  numHiddenLayers: number;
  /** Of a layer that lost none. */
  numAttentionHeads: number;
  /** By layer, ascending: the heads that config.json's pruned_heads took out; empty where there are none. */
  prunedHeads: number[][];
  hiddenSize: number;
  intermediateSize: number;
  vocabSize: number;
  /** In tokens, special ones included: the least that positions, tokenizer and max_seq_length allow. */
  maxLength: number;
  parameters: number;
  /** Resident bytes of the weights. */
  weightBytes: number;
  /** Of a pack: SHA-256 of its file of weights in hexadecimal digits, as its manifest tells it; else null. */
  weightsSha256: string | null;
  /** Of a classifier: config.json's, or what Hugging Face infers. */
  problemType: string;
  labels: string[];
  /** '[MASK]', '<mask>'; null where the tokenizer has none. */
  maskToken: string | null;
  /** Calls that fit: 'classify', 'entities', …; 'embed', 'attention' and 'forward' always. */
  tasks: string[];
  /** What a sentence-transformers folder says of its vectors; null for another folder. */
  sentence: SentenceInfo | null;
  /** Tensors and modules that were not used. */
  ignored: string[];
}

/** What a sentence-transformers folder says of the vectors that its model makes of texts. */
export interface SentenceInfo {
  /** 'cls', 'max', 'mean', 'mean_sqrt_len_tokens', 'weightedmean', 'lasttoken'; several are joined in this order. */
  pooling: string[];
  /** To length 1. */
  normalize: boolean;
  /** Whether the pooling takes in a prompt's tokens. */
  includePrompt: boolean;
  /** In tokens, special ones included. */
  maxSeqLength: number | null;
  /** The text before the input, by the prompt's name. */
  prompts: Record<string, string>;
  /** Empty: none. */
  defaultPromptName: string;
  /** Modules that change the vectors and are not computed. While there is one, the folder's vectors cannot be had. */
  unsupported: string[];
}

export interface Platform {
  /** The build of the engine that runs. */
  build: Build;
  threads: number;
  /** Whether the engine runs in a worker. */
  worker: boolean;
  /** Why it is so, in a sentence. */
  reason: string;
}

/** What the engine holds and has done; for tests and curious users. */
export interface Counters {
  /** Steps done since the engine started. */
  steps: number;
  openRuns: number;
  /** Size of the WebAssembly memory. */
  heapBytes: number;
  /** Bytes of it in use. */
  allocatedBytes: number;
}

/**
 * One Input gives one result; an array gives an array of the same length, in order. Options narrow a result as far as the
 * compiler knows them.
 */
export interface Model extends Tokenizer {
  readonly info: ModelInfo;
  readonly platform: Platform;
  forward<const Options extends ForwardOptions = {}>(
    input: Input,
    options?: Only<Options, ForwardOptions>,
  ): Promise<ForwardResult & ForwardedOf<Options>>;
  forward<const Options extends ForwardOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, ForwardOptions>,
  ): Promise<(ForwardResult & ForwardedOf<Options>)[]>;
  classify(input: Input, options?: ClassifyOptions): Promise<Classification>;
  classify(inputs: readonly Input[], options?: ClassifyOptions): Promise<Classification[]>;
  attention<const Options extends AttentionOptions = {}>(
    input: Input,
    options?: Only<Options, AttentionOptions>,
  ): Promise<AttentionResult<AxesOf<Options>>>;
  attention<const Options extends AttentionOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, AttentionOptions>,
  ): Promise<AttentionResult<AxesOf<Options>>[]>;
  entities<const Options extends EntityOptions = {}>(
    input: Input,
    options?: Only<Options, EntityOptions>,
  ): Promise<Results<Entity & EntityOf<Options>>>;
  entities<const Options extends EntityOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, EntityOptions>,
  ): Promise<Results<Entity & EntityOf<Options>>[]>;
  fillMask(input: Input, options?: FillMaskOptions): Promise<FilledMasks>;
  fillMask(inputs: readonly Input[], options?: FillMaskOptions): Promise<FilledMasks[]>;
  answer(question: Question, options?: AnswerOptions): Promise<Results<Answer>>;
  answer(questions: readonly Question[], options?: AnswerOptions): Promise<Results<Answer>[]>;
  embed<const Options extends EmbedOptions = {}>(
    input: Input,
    options?: Only<Options, EmbedOptions>,
  ): Promise<Embedding<EmbeddingShapeOf<Options>>>;
  embed<const Options extends EmbedOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, EmbedOptions>,
  ): Promise<Embedding<EmbeddingShapeOf<Options>>[]>;
  nextSentence(pair: Input, options?: NextSentenceOptions): Promise<NextSentence>;
  nextSentence(pairs: readonly Input[], options?: NextSentenceOptions): Promise<NextSentence[]>;
  zeroShot(input: Input, labels: readonly string[], options?: ZeroShotOptions): Promise<ZeroShot>;
  zeroShot(inputs: readonly Input[], labels: readonly string[], options?: ZeroShotOptions): Promise<ZeroShot[]>;
  /** The documents by falling score, all judged with the query by a cross-encoder. */
  rank(query: string, documents: readonly string[], options?: RankOptions): Promise<Ranked[]>;
  /** Why the model says what it says: a score for each token, by one of several methods; a list is explained one by one. */
  explain(input: Input, options?: ExplainOptions): Promise<Explanation>;
  explain(inputs: readonly Input[], options?: ExplainOptions): Promise<Explanation[]>;
  counters(): Promise<Counters>;
}

/**
 * Bytes read so far. `loaded` never falls and never passes `total`, which is null until the size of the weights
 * is known. Bytes are those of the files, however they were compressed on the way.
 */
export interface LoadProgress {
  /** 'files' are config and tokenizer; 'weights' the rest; 'ready' comes once, at the end. */
  phase: 'files' | 'weights' | 'ready';
  /** The file that is being read; empty when ready. */
  file: string;
  loaded: number;
  total: number | null;
  /** The download of the file broke off and is taken up again, after a wait. */
  retry?: Retry;
}

/** An attempt at a download that broke off. */
export interface Retry {
  /** From 1. */
  attempt: number;
  /** How many there will be at most without a MiB of progress. */
  of: number;
  waitMilliseconds: number;
  /** Why it broke off. */
  reason: string;
}

export interface CacheOptions {
  /** A model's URL, as `load` takes it; without it all models. */
  location?: ModelLocation;
  /** 'persistent' (default) or a directory. */
  cache?: CacheChoice;
}

/** The copy of a file that a cache holds. */
export interface CachedFile {
  url: string;
  /** That take up room. */
  bytes: number;
  /** False for the beginning of a file whose download broke off. */
  complete: boolean;
  /** ISO 8601. */
  saved: string;
  /** It goes with the page or process. */
  inMemory: boolean;
}

/** What a manifest tells of a file. */
export interface FileSums {
  bytes: number;
  /** 64 hexadecimal digits. */
  sha256: string;
  /** The files, each smaller, of which this one is put together, in order. */
  parts?: FilePart[];
}

export interface FilePart {
  file: string;
  bytes: number;
  sha256: string;
}

/** Nothing is printed unless a logger is passed; `console` is one. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * 'default': the browser's HTTP cache, as `fetch` uses it; 'none' passes it by. 'persistent' keeps the files in the
 * browser's storage (OPFS; in memory where there is none) until `clearCache`; `{ directory }` in a directory, in Node.
 */
export type CacheChoice = 'default' | 'none' | 'persistent' | { directory: string };

export interface LoadTokenizerOptions {
  /** In a module worker (default in browsers) or on the calling thread (default in Node). */
  worker?: boolean;
  signal?: AbortSignal;
  /** Of files from a URL; see CacheChoice. Default 'default'. */
  cache?: CacheChoice;
  /** How often a download that broke off is taken up again, after 0.5, 1, 2, 4 … seconds; default 4. */
  retries?: number;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
  /** Address of worker.js where it does not lie beside this module. */
  workerUrl?: string | URL;
  /** The .wasm file that is to run, on one thread, or the addresses of all where they do not lie beside this module. */
  wasmUrl?: WasmUrl;
  /** 'auto' (default) takes the fastest that this engine computes rightly; 'simd128' gives the same numbers everywhere. */
  build?: 'auto' | ShippedBuild;
  logger?: Logger;
}

export interface LoadOptions extends LoadTokenizerOptions {
  /** 'auto' (default) takes what the folder holds, int8 before float32. */
  precision?: 'auto' | 'float32' | 'int8';
  /**
   * Threads that work on one call, 1 to 64; results are the same to the bit. 'auto' (default on pages): as many as there
   * are cores, at most 4. Default 1 in Node. On pages, more than one need cross-origin isolation; `model.platform` says
   * what runs, and why.
   */
  threads?: 'auto' | number;
  /** Address of threads-worker.js where it does not lie beside this module. */
  threadsWorkerUrl?: string | URL;
  onProgress?: (progress: LoadProgress) => void;
}

/** A URL (a string is read against the page's address), in Node a path, files, a directory handle, or a source of one's own. */
export type ModelLocation = string | URL | readonly File[] | DirectoryHandle | ModelSource;
