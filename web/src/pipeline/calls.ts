// Each task's call: transformers.js' arguments to the model's own, its result to transformers.js' shape.

import { invalid, type OptionNames } from '../options.js';
import type { Embedding, Entity, FilledMask, FilledMasks, Input, Model, Question, RunOptions } from '../types.js';
import type {
  FeatureExtractionOptions,
  FillMaskOutput,
  FillMaskPipelineOptions,
  PipelineTask,
  PipelineText,
  QuestionAnsweringOptions,
  TensorOutput,
  TextClassificationOptions,
  TokenClassificationOptions,
  ZeroShotPipelineOptions,
} from './types.js';

type Call = (model: Model, ...args: never[]) => Promise<unknown>;

const run: OptionNames<RunOptions> = { signal: 1, onProgress: 1 };
const ofClassification: OptionNames<TextClassificationOptions> = { ...run, top_k: 1, function_to_apply: 1 };
const ofTokens: OptionNames<TokenClassificationOptions> = { ...run, ignore_labels: 1, aggregation_strategy: 1, stride: 1 };
const ofMasks: OptionNames<FillMaskPipelineOptions> = { ...run, top_k: 1, targets: 1 };
const ofAnswers: OptionNames<QuestionAnsweringOptions> = {
  ...run,
  top_k: 1,
  max_answer_len: 1,
  max_seq_len: 1,
  doc_stride: 1,
  handle_impossible_answer: 1,
  align_to_words: 1,
};
const ofLabels: OptionNames<ZeroShotPipelineOptions> = { ...run, hypothesis_template: 1, multi_label: 1 };
const ofFeatures: OptionNames<FeatureExtractionOptions> = { ...run, pooling: 1, normalize: 1 };

/** The call of model.info.tasks that a pipeline needs, and what it does; `call` takes the model, what is read, and options. */
export const calls: Record<PipelineTask, { needs: string; call: Call; options: OptionNames<object> }> = {
  'text-classification': { needs: 'classify', call: classifyTexts, options: ofClassification },
  'token-classification': { needs: 'entities', call: classifyTokens, options: ofTokens },
  'fill-mask': { needs: 'fillMask', call: fillMasks, options: ofMasks },
  'question-answering': { needs: 'answer', call: answerQuestions, options: ofAnswers },
  'zero-shot-classification': { needs: 'zeroShot', call: classifyByLabels, options: ofLabels },
  'feature-extraction': { needs: 'embed', call: extractFeatures, options: ofFeatures },
};

async function classifyTexts(
  model: Model,
  texts: PipelineText | readonly PipelineText[],
  { top_k: topK = 1, function_to_apply: functionToApply, ...others }: TextClassificationOptions,
): Promise<unknown> {
  const options = {
    ...others,
    ...(topK !== null && { topK }),
    ...(functionToApply !== undefined && { functionToApply }),
  };
  const results = await model.classify(listOf(texts).map(toInput), options);
  const lists = results.map((labels) => [...labels]);
  if (topK === 1) return lists.flat();
  return Array.isArray(texts) ? lists : lists[0];
}

function toInput(text: PipelineText): Input {
  if (typeof text !== 'object' || text === null) return text;
  const { text_pair: textPair, ...rest } = text;
  return textPair === undefined ? rest : { ...rest, textPair };
}

async function classifyTokens(
  model: Model,
  texts: string | readonly string[],
  {
    ignore_labels: ignoreLabels,
    aggregation_strategy: aggregation = 'none',
    stride,
    ...others
  }: TokenClassificationOptions,
): Promise<unknown> {
  const results = await model.entities(listOf(texts), {
    ...others,
    aggregation,
    ...(ignoreLabels !== undefined && { ignoreLabels }),
    ...(stride !== undefined && { overlong: 'window', stride }),
  });
  const rename = ({ entity, ...rest }: Entity) =>
    aggregation === 'none' ? { entity, ...rest } : { entity_group: entity, ...rest };
  return oneOrAll(
    texts,
    results.map((entities) => entities.map(rename)),
  );
}

async function fillMasks(
  model: Model,
  texts: string | readonly string[],
  { top_k: topK, targets, ...others }: FillMaskPipelineOptions,
): Promise<unknown> {
  const results = await model.fillMask(listOf(texts), {
    ...others,
    ...(topK !== undefined && { topK }),
    ...(targets !== undefined && { targets: typeof targets === 'string' ? [targets] : targets }),
  });
  const rename = ({ tokenText, ...rest }: FilledMask): FillMaskOutput => ({ ...rest, token_str: tokenText });
  const renameAll = (filled: FilledMasks) =>
    (filled as (FilledMask | FilledMask[])[]).map((one) => (Array.isArray(one) ? one.map(rename) : rename(one)));
  return oneOrAll(texts, results.map(renameAll));
}

async function answerQuestions(
  model: Model,
  questions: string | readonly string[],
  contexts: string | readonly string[],
  {
    top_k: topK = 1,
    max_answer_len: maxAnswerLength,
    max_seq_len: maxLength,
    doc_stride: stride,
    handle_impossible_answer: allowNoAnswer,
    align_to_words: alignToWords,
    ...others
  }: QuestionAnsweringOptions,
): Promise<unknown> {
  const list = listOf(questions);
  const ofEach = Array.isArray(contexts) ? contexts : list.map(() => contexts);
  if (ofEach.length !== list.length) {
    throw invalid(`${list.length} questions came with ${ofEach.length} contexts`);
  }
  const results = await model.answer(
    list.map((question, index): Question => ({ question, context: ofEach[index] as string })),
    {
      ...others,
      topK,
      ...(maxAnswerLength !== undefined && { maxAnswerLength }),
      ...(maxLength !== undefined && { maxLength }),
      ...(stride !== undefined && { stride }),
      ...(allowNoAnswer !== undefined && { allowNoAnswer }),
      ...(alignToWords !== undefined && { alignToWords }),
    },
  );
  return oneOrAll(
    questions,
    results.map((answers) => (topK === 1 ? answers[0] : [...answers])),
  );
}

async function classifyByLabels(
  model: Model,
  texts: string | readonly string[],
  labels: string | string[],
  { hypothesis_template: hypothesisTemplate, multi_label: multiLabel, ...others }: ZeroShotPipelineOptions,
): Promise<unknown> {
  const list = listOf(texts);
  const results = await model.zeroShot(list, typeof labels === 'string' ? [labels] : labels, {
    ...others,
    ...(hypothesisTemplate !== undefined && { hypothesisTemplate }),
    ...(multiLabel !== undefined && { multiLabel }),
  });
  return oneOrAll(
    texts,
    results.map((result, index) => ({ sequence: list[index], labels: result.labels, scores: result.scores })),
  );
}

async function extractFeatures(
  model: Model,
  texts: string | readonly string[],
  { pooling = 'none', normalize = false, ...others }: FeatureExtractionOptions,
): Promise<TensorOutput> {
  const vectors = await model.embed(listOf(texts), {
    ...others,
    pooling: pooling === 'first_token' ? 'cls' : pooling,
    normalize,
    prompt: '',
  });
  return stack(vectors);
}

/** [size] or [tokens, size] each, to one tensor with their number in front; shorter ones are filled up with zeros. */
function stack(vectors: Embedding[]): TensorOutput {
  const longest = vectors.reduce((most, { data }) => Math.max(most, data.length), 0);
  const data = new Float32Array(vectors.length * longest);
  vectors.forEach((vector, index) => data.set(vector.data, index * longest));
  const size = vectors[0]?.shape.at(-1) ?? 0;
  const dims =
    vectors[0]?.shape.length === 2 ? [vectors.length, longest / size, size] : [vectors.length, longest];
  return { type: 'float32', data, dims, size: data.length, tolist: () => nest([...data], dims) };
}

function nest(values: unknown[], dims: readonly number[]): unknown[] {
  const [count = 0, ...inner] = dims;
  if (inner.length === 0) return values;
  const size = values.length / Math.max(1, count);
  return Array.from({ length: count }, (_, row) => nest(values.slice(row * size, (row + 1) * size), inner));
}

function listOf<Item>(items: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(items) ? (items as readonly Item[]) : [items as Item];
}

function oneOrAll(given: unknown, results: unknown[]): unknown {
  return Array.isArray(given) ? results : results[0];
}
