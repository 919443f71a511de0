// How far scores of words can be believed: the words that they rate highest are taken out of the text, and the model's
// probability of the label falls, or does not.

import { HeadlightError } from './errors.js';
import type { InputPair } from './engine.js';
import { toPairs } from './inputs.js';
import { textOptionNames } from './option-names.js';
import { invalid, isListOf, isObject, readOptions, reading, show, wrong, type OptionNames } from './options.js';
import { randomNumbers } from './random.js';
import type { AttendedToken, Input, Model, RunOptions, TextOptions } from './types.js';

/** Shares of the words that comprehensiveness and sufficiency are means over (DeYoung et al. 2020, section 4.2). */
const bins = [0.01, 0.05, 0.1, 0.2, 0.5];
/** Shares that the curve has points at. */
const steps = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Each is 20 runs of the text. */
const mostOrders = 1000;

/** A score for each word, larger where the word speaks for the label; those of special tokens are passed over. */
export interface WordScores {
  /** Of `model.attention` or `model.explain`. */
  words: readonly AttendedToken[];
  /** Parallel to `words`. */
  scores: ArrayLike<number>;
}

export interface FaithfulnessOptions extends RunOptions, TextOptions {
  /** The label whose probability is watched; default the likeliest. */
  target?: string;
  /** Orders of chance that stand for not knowing, at most 1000; default 3, 0 for none. */
  randomOrders?: number;
  /** Of these orders, default 1. */
  seed?: number;
}

export interface RemovalCurve {
  /**
   * How far the probability falls without the highest words, as the mean over 1, 5, 10, 20 and 50 % of them; -1 to 1,
   * more is better (comprehensiveness, DeYoung et al. 2020).
   */
  comprehensiveness: number;
  /** How far it falls with these words alone; less is better (sufficiency). */
  sufficiency: number;
  /** The mean fall over the curve: the area between it and the whole text's probability; more is better. */
  area: number;
  /** The probability without a share of the words, the highest first; by tenths from 0 to 1. */
  curve: { removed: number; probability: number }[];
}

export interface Faithfulness extends RemovalCurve {
  target: string;
  /** Of the whole text. */
  probability: number;
  /** The same with the words in random order, the mean over the orders; null without such orders. */
  random: RemovalCurve | null;
}

/**
 * Measures scores of a text's words on the model that they are to explain, a classifier: one run of the text, and 20 an
 * order of words. At least one word is taken out at each share above 0.
 * Throws E_TASK_MISMATCH for a model that classifies nothing, E_INVALID_ARGUMENT for a target that is no label and for
 * words and scores that differ in length or of which none is part of the text.
 */
export async function faithfulness(
  model: Pick<Model, 'info' | 'classify'>,
  input: Input,
  wordScores: WordScores,
  options?: FaithfulnessOptions,
): Promise<Faithfulness> {
  const { target, randomOrders = 3, seed = 1, ...others } = readOptions(options, optionNames);
  const { words, scores } = reading('words and scores', () => readScores(wordScores));
  const [pair] = toPairs([input]) as [InputPair];
  const whole = pair.textPair === undefined ? pair.text : pair;
  const places = words.flatMap(({ sequenceId }, i) => (sequenceId === null ? [] : [i]));
  reading('The model', () => check(model, words, scores, places, target, randomOrders, seed));
  const byScore = [...places].sort((a, b) => scores[b]! - scores[a]!);
  const next = randomNumbers(seed);
  const orders = [byScore, ...Array.from({ length: randomOrders }, () => shuffled(places, next))];
  const texts = [whole, ...orders.flatMap((order) => readings(whole, words, order))];
  const results = await model.classify(texts, others);
  const label = target ?? results[0]![0]!.label;
  const probabilities = results.map((scores) => scores.find((one) => one.label === label)?.score ?? 0);
  const probability = probabilities[0]!;
  const each = bins.length * 2 + steps.length - 1;
  const curves = orders.map((_, i) => curveOf(probability, probabilities.slice(1 + i * each, 1 + (i + 1) * each)));
  const [own, ...chance] = curves as [RemovalCurve, ...RemovalCurve[]];
  return { target: label, probability, ...own, random: chance.length > 0 ? meanCurve(chance) : null };
}

function check(
  model: Pick<Model, 'info' | 'classify'>,
  words: readonly AttendedToken[],
  scores: ArrayLike<number>,
  places: readonly number[],
  target: string | undefined,
  randomOrders: number,
  seed: number,
): void {
  const fail = (message: string): never => {
    throw invalid(message);
  };
  if (typeof model?.classify !== 'function' || !model.info) throw wrong('The model', 'one that load() gives', model);
  const { info } = model;
  if (!info.tasks.includes('classify')) {
    throw new HeadlightError(
      'E_TASK_MISMATCH',
      `Faithfulness is measured by the probability of a label, and ${info.architecture || `a bare ${info.family} encoder`} has none`,
    );
  }
  if (words.length !== scores.length) fail(`There are ${words.length} words and ${scores.length} scores`);
  if (places.length === 0) fail('None of the words is part of the text');
  if (target !== undefined && !info.labels.includes(target)) {
    fail(`The target ${show(target)} is none of the labels ${info.labels.join(', ')}`);
  }
  if (!Number.isInteger(randomOrders) || randomOrders < 0 || randomOrders > mostOrders) {
    throw wrong('randomOrders', `a whole number from 0 to ${mostOrders}`, randomOrders);
  }
  if (!Number.isInteger(seed)) throw wrong('seed', 'a whole number', seed);
}

/** Fisher and Yates. */
function shuffled(places: readonly number[], next: () => number): number[] {
  const order = [...places];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** What is read for an order: without each bin's words, with them alone, and the points of the curve after the first. */
function readings(input: Input, words: readonly AttendedToken[], order: readonly number[]): Input[] {
  const count = (share: number) => Math.max(1, Math.round(share * order.length));
  const without = (share: number) => textOf(input, words, new Set(order.slice(count(share))));
  const only = (share: number) => textOf(input, words, new Set(order.slice(0, count(share))));
  return [...bins.map(without), ...bins.map(only), ...steps.slice(1).map(without)];
}

/** The input with the words `kept` alone; what stands between words stays beside those that are kept. */
function textOf(input: Input, words: readonly AttendedToken[], kept: ReadonlySet<number>): Input {
  const cut = (text: string, sequence: 0 | 1) => {
    let result = '';
    let end = 0;
    words.forEach(({ start, end: stop, sequenceId }, i) => {
      if (sequenceId !== sequence) return;
      result += text.slice(end, Math.max(end, kept.has(i) ? stop : start));
      end = Math.max(end, stop);
    });
    return (result + text.slice(end)).replace(/\s+/g, ' ').trim();
  };
  if (typeof input === 'string') return cut(input, 0);
  const { text, textPair } = input;
  return textPair === undefined ? { text: cut(text, 0) } : { text: cut(text, 0), textPair: cut(textPair, 1) };
}

function curveOf(whole: number, probabilities: readonly number[]): RemovalCurve {
  const fall = (values: readonly number[]) => whole - mean(values);
  const curve = steps.map((removed, i) => ({
    removed,
    probability: i === 0 ? whole : probabilities[2 * bins.length + i - 1]!,
  }));
  return {
    comprehensiveness: fall(probabilities.slice(0, bins.length)),
    sufficiency: fall(probabilities.slice(bins.length, 2 * bins.length)),
    area: fall(curve.slice(1).map(({ probability }) => probability)),
    curve,
  };
}

function meanCurve(curves: readonly RemovalCurve[]): RemovalCurve {
  return {
    comprehensiveness: mean(curves.map((one) => one.comprehensiveness)),
    sufficiency: mean(curves.map((one) => one.sufficiency)),
    area: mean(curves.map((one) => one.area)),
    curve: steps.map((removed, i) => ({ removed, probability: mean(curves.map(({ curve }) => curve[i]!.probability)) })),
  };
}

const optionNames: OptionNames<FaithfulnessOptions> = { ...textOptionNames, target: 1, randomOrders: 1, seed: 1 };

function readScores(given: WordScores): WordScores {
  if (!isObject(given)) throw wrong('The scores', '{ words, scores }', given);
  const { words, scores } = given;
  const isWord = ({ start, end }: AttendedToken) => Number.isInteger(start) && Number.isInteger(end);
  if (!isListOf(words, isWord)) throw wrong('words', 'those of attention() or explain()', words);
  const numbers = ArrayBuffer.isView(scores) ? Array.from(scores) : scores;
  if (!isListOf(numbers, Number.isFinite)) throw wrong('scores', 'a list of numbers', scores);
  return { words, scores: numbers };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
