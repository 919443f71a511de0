// The names and shapes of transformers.js.

import type { Model, RunOptions, Tokenizer } from '../types.js';

/** A progress event of a load: 'progress' while files are read, then once 'ready'. */
export type PipelineProgress =
  | { status: 'progress'; name: string; file: string; progress: number; loaded: number; total: number }
  | { status: 'ready'; task: PipelineTask; model: string };

export type PipelineTask =
  | 'text-classification'
  | 'token-classification'
  | 'question-answering'
  | 'fill-mask'
  | 'zero-shot-classification'
  | 'feature-extraction';

/** Other names of the same tasks. */
export type PipelineAlias = 'sentiment-analysis' | 'ner' | 'embeddings';

/** What every pipeline has beside its call. */
export interface PipelineBase {
  readonly task: PipelineTask;
  readonly model: Model;
  readonly tokenizer: Tokenizer;
  dispose(): Promise<void>;
}

/** A text, or as Python's pipeline takes a pair. */
export type PipelineText = string | { text: string; text_pair?: string };

export interface LabelOutput {
  label: string;
  score: number;
}

export interface TextClassificationOptions extends RunOptions {
  /** Default 1; null gives all. */
  top_k?: number | null;
  function_to_apply?: 'softmax' | 'sigmoid' | 'none';
}

export interface TextClassificationPipeline extends PipelineBase {
  /** A list a text where `top_k` is not 1. */
  (text: PipelineText, options?: TextClassificationOptions): Promise<LabelOutput[]>;
  (
    texts: readonly PipelineText[],
    options?: TextClassificationOptions & { top_k?: 1 | undefined },
  ): Promise<LabelOutput[]>;
  (texts: readonly PipelineText[], options: TextClassificationOptions): Promise<LabelOutput[][]>;
}

interface Extent {
  /** UTF-16 units. */
  start: number;
  end: number;
}

export interface TokenOutput extends Extent {
  entity: string;
  score: number;
  index: number;
  word: string;
}

export interface GroupOutput extends Extent {
  entity_group: string;
  score: number;
  word: string;
}

export interface TokenClassificationOptions extends RunOptions {
  ignore_labels?: string[];
  aggregation_strategy?: 'none' | 'simple' | 'first' | 'average' | 'max' | 'word';
  /** A text that is too long is read in windows that share so many tokens, instead of being cut. */
  stride?: number;
}

type Grouping = TokenClassificationOptions & {
  aggregation_strategy: Exclude<TokenClassificationOptions['aggregation_strategy'], 'none' | undefined>;
};

export interface TokenClassificationPipeline extends PipelineBase {
  (text: string, options: Grouping): Promise<GroupOutput[]>;
  (texts: readonly string[], options: Grouping): Promise<GroupOutput[][]>;
  (text: string, options?: TokenClassificationOptions): Promise<TokenOutput[]>;
  (texts: readonly string[], options?: TokenClassificationOptions): Promise<TokenOutput[][]>;
}

export interface FillMaskOutput {
  score: number;
  token: number;
  token_str: string;
  sequence: string;
}

export interface FillMaskPipelineOptions extends RunOptions {
  top_k?: number;
  targets?: string | string[];
}

export interface FillMaskPipeline extends PipelineBase {
  /** A text with several masks gives a list a mask. */
  (text: string, options?: FillMaskPipelineOptions): Promise<FillMaskOutput[] | FillMaskOutput[][]>;
  (texts: readonly string[], options?: FillMaskPipelineOptions): Promise<(FillMaskOutput[] | FillMaskOutput[][])[]>;
}

export interface AnswerOutput extends Extent {
  answer: string;
  score: number;
}

export interface QuestionAnsweringOptions extends RunOptions {
  top_k?: number;
  max_answer_len?: number;
  max_seq_len?: number;
  doc_stride?: number;
  handle_impossible_answer?: boolean;
  align_to_words?: boolean;
}

export interface QuestionAnsweringPipeline extends PipelineBase {
  (
    question: string,
    context: string,
    options?: QuestionAnsweringOptions & { top_k?: 1 | undefined },
  ): Promise<AnswerOutput>;
  (question: string, context: string, options: QuestionAnsweringOptions): Promise<AnswerOutput[]>;
  (
    questions: readonly string[],
    contexts: string | readonly string[],
    options?: QuestionAnsweringOptions & { top_k?: 1 | undefined },
  ): Promise<AnswerOutput[]>;
  (
    questions: readonly string[],
    contexts: string | readonly string[],
    options: QuestionAnsweringOptions,
  ): Promise<AnswerOutput[][]>;
}

export interface ZeroShotOutput {
  sequence: string;
  labels: string[];
  scores: number[];
}

export interface ZeroShotPipelineOptions extends RunOptions {
  hypothesis_template?: string;
  multi_label?: boolean;
}

export interface ZeroShotClassificationPipeline extends PipelineBase {
  (text: string, labels: string | string[], options?: ZeroShotPipelineOptions): Promise<ZeroShotOutput>;
  (texts: readonly string[], labels: string | string[], options?: ZeroShotPipelineOptions): Promise<ZeroShotOutput[]>;
}

/** What transformers.js' Tensor has of names that hold data. */
export interface TensorOutput {
  type: 'float32';
  data: Float32Array;
  dims: number[];
  size: number;
  tolist(): unknown[];
}

export interface FeatureExtractionOptions extends RunOptions {
  /** Default 'none': a vector a token, [texts, tokens, size]; shorter texts of a batch are filled up with zeros. */
  pooling?: 'none' | 'mean' | 'cls' | 'first_token' | 'max';
  normalize?: boolean;
}

export interface FeatureExtractionPipeline extends PipelineBase {
  (texts: string | readonly string[], options?: FeatureExtractionOptions): Promise<TensorOutput>;
}

export interface Pipelines {
  'text-classification': TextClassificationPipeline;
  'sentiment-analysis': TextClassificationPipeline;
  'token-classification': TokenClassificationPipeline;
  ner: TokenClassificationPipeline;
  'question-answering': QuestionAnsweringPipeline;
  'fill-mask': FillMaskPipeline;
  'zero-shot-classification': ZeroShotClassificationPipeline;
  'feature-extraction': FeatureExtractionPipeline;
  embeddings: FeatureExtractionPipeline;
}
