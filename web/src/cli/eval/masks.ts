// How often a masked language model finds the words that were masked.

import { HeadlightError } from '../../errors.js';
import { linesOf, readText } from '../command.js';
import { randomNumbers } from '../../random.js';
import { readTable } from './table.js';
import { failAt, figuresBySource, groupBy, inBatches, share, type Evaluation, type EvaluationOptions } from './evaluation.js';
import type { Encoding, FilledMask, Model } from '../../types.js';

const maskedShare = 0.15;
const topK = 5;

interface Text {
  /** In the file, from 1. */
  line: number;
  source: string | undefined;
  text: string;
}

interface MaskedText {
  source: string | undefined;
  text: string;
  /** The ids that stood in place of the masks, in order. */
  targets: number[];
}

/**
 * Of the words that are one token each, 15 % are masked, by the seed; of a text that is too long, among the words that the
 * model reads. The others stay as they are.
 */
export async function evaluateMasks(
  model: Model,
  file: string,
  { maxLength, seed }: EvaluationOptions,
): Promise<Evaluation> {
  const texts = readTexts(file);
  const maskToken = model.info.maskToken as string;
  const maskId = await model.tokenToId(maskToken);
  const random = randomNumbers(seed);
  const masked: MaskedText[] = [];
  let truncated = 0;
  const limit = Math.min(maxLength, model.info.maxLength);
  for (const text of texts) {
    const encoding = await model.tokenize(text.text, { maxLength: limit, truncation: 'longest_first' });
    if (encoding.overflow.length > 0) truncated++;
    if (encoding.ids.some((id) => id === maskId)) failAt(file, text.line, `has ${maskToken} already`);
    const result = await mask(model, text, encoding, random);
    if (result.targets.length > 0) masked.push(result);
  }
  if (masked.length === 0) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `${file} has too few words to mask any`, { file });
  }
  const results = await inBatches(masked, (batch) =>
    model.fillMask(
      batch.map(({ text }) => text),
      { topK, maxLength },
    ),
  );
  const judged = masked.flatMap(({ source, targets }, index) => {
    const filled = results[index] as unknown as FilledMask[] | FilledMask[][];
    const lists = Array.isArray(filled[0]) ? (filled as FilledMask[][]) : [filled as FilledMask[]];
    return targets.map((target, at) => ({ source, target, tokens: (lists[at] ?? []).map(({ token }) => token) }));
  });
  const figuresOf = (items: readonly (typeof judged)[number][]) => {
    const top1 = items.filter(({ target, tokens }) => tokens[0] === target).length;
    const top5 = items.filter(({ target, tokens }) => tokens.includes(target)).length;
    return { masks: items.length, top1, top5, top1Share: top1 / items.length, top5Share: top5 / items.length };
  };
  return {
    ...figuresBySource(
      judged,
      figuresOf,
      ({ masks, top1, top5 }) => `top-1 ${share(top1, masks)}, top-5 ${share(top5, masks)}`,
    ),
    decisions: judged.map(({ tokens }) => String(tokens[0])),
    truncated,
  };
}

function readTexts(file: string): Text[] {
  if (file.endsWith('.tsv')) return readTable(file, ['text']).map(({ line, cells: { text, source } }) => ({ line, text, source }));
  const texts = linesOf(readText(file)).map((text, index) => ({ line: index + 1, text, source: undefined }));
  return texts.filter(({ text }) => text.trim() !== '');
}

async function mask(model: Model, { text, source }: Text, encoding: Encoding, random: () => number): Promise<MaskedText> {
  const { ids, offsets, wordIds } = encoding;
  const tokensOf = groupBy(wordIds, String);
  const targets: number[] = [];
  let result = '';
  let copied = 0;
  for (const [index, id] of ids.entries()) {
    const word = wordIds[index] ?? null;
    if (word === null || tokensOf.get(String(word))?.length !== 1 || random() >= maskedShare) continue;
    // Special tokens, the unknown one among them, are no words to find.
    if ((await model.decode([id])) === '') continue;
    const [start, end] = offsets[index] ?? [0, 0];
    result += text.slice(copied, start) + model.info.maskToken;
    copied = end;
    targets.push(id);
  }
  const end = offsets.reduce((last, offset) => Math.max(last, offset[1]), 0);
  return { text: result + text.slice(copied, end), source, targets };
}
