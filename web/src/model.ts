import { isList, toPairs, type Inputs } from './inputs.js';
import { optionNames, type OptionsOf } from './option-names.js';
import { invalid, readOptions, toPlain, wrong } from './options.js';
import { toAnswers, toQuestionPairs, type AnswerReply } from './tasks/answer.js';
import { toClassification, type ClassifyReply } from './tasks/classify.js';
import { toEntities, type EntitiesReply } from './tasks/entities.js';
import { defaultMethod, toExplanation, type ExplainReply } from './tasks/explain.js';
import { toFilledMasks, type FillMaskReply } from './tasks/fill-mask.js';
import { toRankPairs } from './tasks/rank.js';
import { readLabels, toZeroShot } from './tasks/zero-shot.js';
import type { Engine, Method } from './engine.js';
import type { AxesOf, EmbeddingShapeOf, EntityOf, ForwardedOf, Only } from './narrow.js';
import type {
  Answer,
  AnswerOptions,
  AttentionOptions,
  AttentionResult,
  Classification,
  ClassifyOptions,
  Counters,
  EmbedOptions,
  Embedding,
  Encoding,
  Entity,
  EntityOptions,
  ExplainOptions,
  Explanation,
  FillMaskOptions,
  FilledMasks,
  ForwardOptions,
  ForwardResult,
  Input,
  Model,
  ModelInfo,
  NextSentence,
  NextSentenceOptions,
  Platform,
  Question,
  RankOptions,
  Ranked,
  Results,
  RunOptions,
  RunProgress,
  TokenizeOptions,
  Tokenizer,
  ZeroShot,
  ZeroShotOptions,
} from './types.js';

export class LoadedTokenizer implements Tokenizer {
  protected readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  tokenize(input: Input, options?: TokenizeOptions): Promise<Encoding>;
  tokenize(inputs: readonly Input[], options?: TokenizeOptions): Promise<Encoding[]>;
  async tokenize(input: Inputs, given?: TokenizeOptions): Promise<Encoding | Encoding[]> {
    const { textPair, ...options } = readEngineOptions('tokenize', given);
    if (textPair !== undefined && typeof input !== 'string') {
      throw invalid('The option textPair is for an input that is one string');
    }
    const pairs = toPairs(typeof input === 'string' && textPair !== undefined ? { text: input, textPair } : input);
    const encodings = await Promise.all(
      pairs.map((pair) => this.engine.query('tokenize', { input: pair, options }) as Promise<Encoding>),
    );
    return isList(input) ? encodings : (encodings[0] as Encoding);
  }

  async decode(ids: readonly number[], given?: { skipSpecialTokens?: boolean }): Promise<string> {
    const { skipSpecialTokens } = readEngineOptions('decode', given);
    const plainIds = toPlain('ids', ids);
    const foreign = Array.isArray(plainIds) ? plainIds.find((id) => Number.isInteger(id) && !isInt32(id as number)) : undefined;
    if (foreign !== undefined) throw invalid(`There is no id ${String(foreign)} in the vocabulary`);
    return (await this.engine.query('decode', { ids: plainIds, skipSpecialTokens: skipSpecialTokens ?? true })) as string;
  }

  async tokenToId(token: string): Promise<number | null> {
    if (typeof token !== 'string') throw wrong('token', 'a string', token);
    return (await this.engine.query('tokenToId', { token })) as number | null;
  }

  async idToToken(id: number): Promise<string | null> {
    if (!Number.isInteger(id)) throw wrong('id', 'a whole number', id);
    return isInt32(id) ? ((await this.engine.query('idToToken', { id })) as string | null) : null;
  }

  dispose(): void {
    this.engine.dispose();
  }
}

/** The engine's ids have 32 bits. */
const isInt32 = (id: number): boolean => (id | 0) === id;

/** The options of a call, those that are not the library's own as JSON has them. */
function readEngineOptions<Call extends keyof OptionsOf>(call: Call, given: unknown): OptionsOf[Call] & RunOptions {
  const { signal, onProgress, ...options } = readOptions<OptionsOf[Call] & RunOptions>(given as never, optionNames[call] as never);
  const plain = Object.entries(options).map(([name, value]) => [name, toPlain(name, value)]);
  return { ...Object.fromEntries(plain), signal, onProgress };
}

export class LoadedModel extends LoadedTokenizer implements Model {
  readonly info: ModelInfo;
  readonly platform: Platform;

  constructor(engine: Engine, info: ModelInfo, platform: Platform) {
    super(engine);
    this.info = info;
    this.platform = platform;
  }

  forward<const Options extends ForwardOptions = {}>(
    input: Input,
    options?: Only<Options, ForwardOptions>,
  ): Promise<ForwardResult & ForwardedOf<Options>>;
  forward<const Options extends ForwardOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, ForwardOptions>,
  ): Promise<(ForwardResult & ForwardedOf<Options>)[]>;
  forward(input: Inputs, options?: ForwardOptions): Promise<ForwardResult | ForwardResult[]> {
    return this.#run('forward', input, options, (reply) => reply as ForwardResult);
  }

  classify(input: Input, options?: ClassifyOptions): Promise<Classification>;
  classify(inputs: readonly Input[], options?: ClassifyOptions): Promise<Classification[]>;
  classify(input: Inputs, options?: ClassifyOptions): Promise<Classification | Classification[]> {
    return this.#run('classify', input, options, (reply) => toClassification(reply as ClassifyReply));
  }

  attention<const Options extends AttentionOptions = {}>(
    input: Input,
    options?: Only<Options, AttentionOptions>,
  ): Promise<AttentionResult<AxesOf<Options>>>;
  attention<const Options extends AttentionOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, AttentionOptions>,
  ): Promise<AttentionResult<AxesOf<Options>>[]>;
  attention(input: Inputs, options?: AttentionOptions): Promise<AttentionResult | AttentionResult[]> {
    return this.#run('attention', input, options, (reply) => reply as AttentionResult);
  }

  entities<const Options extends EntityOptions = {}>(
    input: Input,
    options?: Only<Options, EntityOptions>,
  ): Promise<Results<Entity & EntityOf<Options>>>;
  entities<const Options extends EntityOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, EntityOptions>,
  ): Promise<Results<Entity & EntityOf<Options>>[]>;
  entities(input: Inputs, options?: EntityOptions): Promise<Results<Entity> | Results<Entity>[]> {
    return this.#run('entities', input, options, (reply) => toEntities(reply as EntitiesReply));
  }

  fillMask(input: Input, options?: FillMaskOptions): Promise<FilledMasks>;
  fillMask(inputs: readonly Input[], options?: FillMaskOptions): Promise<FilledMasks[]>;
  fillMask(input: Inputs, options?: FillMaskOptions): Promise<FilledMasks | FilledMasks[]> {
    return this.#run('fillMask', input, options, (reply) => toFilledMasks(reply as FillMaskReply));
  }

  answer(question: Question, options?: AnswerOptions): Promise<Results<Answer>>;
  answer(questions: readonly Question[], options?: AnswerOptions): Promise<Results<Answer>[]>;
  async answer(
    question: Question | readonly Question[],
    options?: AnswerOptions,
  ): Promise<Results<Answer> | Results<Answer>[]> {
    return this.#run('answer', toQuestionPairs(question), options, (reply) => toAnswers(reply as AnswerReply));
  }

  embed<const Options extends EmbedOptions = {}>(
    input: Input,
    options?: Only<Options, EmbedOptions>,
  ): Promise<Embedding<EmbeddingShapeOf<Options>>>;
  embed<const Options extends EmbedOptions = {}>(
    inputs: readonly Input[],
    options?: Only<Options, EmbedOptions>,
  ): Promise<Embedding<EmbeddingShapeOf<Options>>[]>;
  embed(input: Inputs, options?: EmbedOptions): Promise<Embedding | Embedding[]> {
    return this.#run('embed', input, options, (reply) => reply as Embedding);
  }

  nextSentence(pair: Input, options?: NextSentenceOptions): Promise<NextSentence>;
  nextSentence(pairs: readonly Input[], options?: NextSentenceOptions): Promise<NextSentence[]>;
  nextSentence(input: Inputs, options?: NextSentenceOptions): Promise<NextSentence | NextSentence[]> {
    return this.#run('nextSentence', input, options, (reply) => reply as NextSentence);
  }

  zeroShot(input: Input, labels: readonly string[], options?: ZeroShotOptions): Promise<ZeroShot>;
  zeroShot(inputs: readonly Input[], labels: readonly string[], options?: ZeroShotOptions): Promise<ZeroShot[]>;
  async zeroShot(
    input: Inputs,
    labels: readonly string[],
    options?: ZeroShotOptions,
  ): Promise<ZeroShot | ZeroShot[]> {
    const candidates = readLabels(labels);
    return this.#run('zeroShot', input, options, (reply) => toZeroShot(reply as ClassifyReply), { labels: candidates });
  }

  async rank(query: string, documents: readonly string[], options?: RankOptions): Promise<Ranked[]> {
    return this.#run('rank', toRankPairs(query, documents), options, (reply) => reply as Ranked) as Promise<Ranked[]>;
  }

  explain(input: Input, options?: ExplainOptions): Promise<Explanation>;
  explain(inputs: readonly Input[], options?: ExplainOptions): Promise<Explanation[]>;
  async explain(input: Inputs, given?: ExplainOptions): Promise<Explanation | Explanation[]> {
    const options = readEngineOptions('explain', given);
    const { onProgress } = options;
    const method = options.method ?? defaultMethod;
    const inputs = toPairs(input);
    const explanations: Explanation[] = [];
    for (const [i, one] of inputs.entries()) {
      const hooks = onProgress && {
        onProgress: ({ fraction }: RunProgress) => onProgress({ fraction: (i + fraction) / inputs.length }),
      };
      const convert = (reply: unknown) => toExplanation(reply as ExplainReply, method, this.info.labels, options.words === true);
      explanations.push((await this.#run('explain', one, { ...options, method, ...hooks } as RunOptions, convert)) as Explanation);
    }
    return isList(input) ? explanations : explanations[0]!;
  }

  async counters(): Promise<Counters> {
    return (await this.engine.query('counters', {})) as Counters;
  }

  /** more: what the call gives the engine beside the caller's options. */
  async #run<Result>(
    method: Method,
    input: Inputs,
    given: RunOptions | undefined,
    convert: (reply: unknown) => Result,
    more: object = {},
  ): Promise<Result | Result[]> {
    const { signal, onProgress, ...options } = readEngineOptions(method, given);
    const inputs = toPairs(input);
    if (inputs.length === 0) return [];
    const replies = await this.engine.run({ method, inputs, options: { ...options, ...more } }, { signal, onProgress });
    const results = replies.map(convert);
    return isList(input) ? results : (results[0] as Result);
  }
}
