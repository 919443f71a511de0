// The names of the options that each call of a model takes.

import type { OptionNames } from './options.js';
import type {
  AnswerOptions,
  AttentionOptions,
  ClassifyOptions,
  EmbedOptions,
  EntityOptions,
  ExplainOptions,
  FillMaskOptions,
  ForwardOptions,
  NextSentenceOptions,
  RankOptions,
  RunOptions,
  TextOptions,
  TokenizeOptions,
  WindowOptions,
  ZeroShotOptions,
} from './types.js';

/** By call. */
export interface OptionsOf {
  tokenize: TokenizeOptions;
  decode: { skipSpecialTokens?: boolean };
  forward: ForwardOptions;
  classify: ClassifyOptions;
  entities: EntityOptions;
  fillMask: FillMaskOptions;
  answer: AnswerOptions;
  embed: EmbedOptions;
  nextSentence: NextSentenceOptions;
  zeroShot: ZeroShotOptions;
  rank: RankOptions;
  attention: AttentionOptions;
  explain: ExplainOptions;
}

const run: OptionNames<RunOptions> = { signal: 1, onProgress: 1 };
const cut = { overlong: 1, maxLength: 1, headMask: 1 } as const;
const parse = { specialTokensInText: 1 } as const;
const fit = { addSpecialTokens: 1, maxLength: 1, truncation: 1, padding: 1, ...parse } as const;

export const textOptionNames: OptionNames<RunOptions & TextOptions> = { ...run, ...cut, ...parse };
const windowed: OptionNames<RunOptions & WindowOptions> = { ...textOptionNames, stride: 1 };

export const optionNames: { readonly [Call in keyof OptionsOf]: OptionNames<OptionsOf[Call]> } = {
  tokenize: { textPair: 1, stride: 1, ...fit },
  decode: { skipSpecialTokens: 1 },
  forward: {
    ...run,
    ...fit,
    logits: 1,
    lastHiddenState: 1,
    poolerOutput: 1,
    hiddenStates: 1,
    attentions: 1,
    queriesKeysValues: 1,
    layers: 1,
    heads: 1,
    compactAttentions: 1,
    globalTokens: 1,
    headMask: 1,
    taskTypeId: 1,
  },
  classify: { ...windowed, topK: 1, threshold: 1, functionToApply: 1 },
  entities: { ...windowed, aggregation: 1, ignoreLabels: 1 },
  fillMask: { ...run, ...cut, topK: 1, targets: 1 },
  answer: { ...windowed, topK: 1, maxAnswerLength: 1, allowNoAnswer: 1, alignToWords: 1 },
  embed: { ...textOptionNames, pooling: 1, layer: 1, normalize: 1, prompt: 1, promptName: 1, taskTypeId: 1 },
  nextSentence: textOptionNames,
  zeroShot: { ...textOptionNames, hypothesisTemplate: 1, multiLabel: 1 },
  rank: { ...textOptionNames, topK: 1 },
  attention: {
    ...textOptionNames,
    query: 1,
    layers: 1,
    heads: 1,
    reduceHeads: 1,
    reduceLayers: 1,
    scale: 1,
    specialTokens: 1,
    words: 1,
  },
  explain: {
    ...textOptionNames,
    method: 1,
    target: 1,
    words: 1,
    steps: 1,
    baseline: 1,
    occlude: 1,
    details: 1,
    attentionGradients: 1,
    globalTokens: 1,
    taskTypeId: 1,
  },
};
