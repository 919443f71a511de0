// Precision, recall and F1 of a model of entities over tagged sentences.

import { HeadlightError } from '../../errors.js';
import { entitiesOf, isTag, readSentences, typeOf, type Sentence } from './iob.js';
import { countTruncated, failAt, groupBy, inBatches, percent, type Evaluation, type EvaluationOptions } from './evaluation.js';
import type { Entity, Model, Offsets } from '../../types.js';

interface Figures {
  precision: number;
  recall: number;
  f1: number;
  /** In the file, by the model, and in both. */
  entities: number;
  found: number;
  correct: number;
}

/**
 * An entity counts as found where type, first and last word are those of the file. Types that the file does not have are
 * left out of what the model says.
 */
export async function evaluateEntities(
  model: Model,
  file: string,
  { maxLength }: EvaluationOptions,
): Promise<Evaluation> {
  checkScheme(model.info.labels);
  const sentences = readSentences(file);
  const types = typesOf(sentences, file, model.info.labels);
  const results = await inBatches(sentences, (batch) =>
    model.entities(
      batch.map(({ words }) => words.join(' ')),
      { ignoreLabels: [], maxLength },
    ),
  );
  const tags = sentences.map(({ words }, index) => tagsOf(words, results[index] ?? []));
  const expected = sentences.flatMap((sentence, index) => named(sentence.tags, index));
  const actual = tags.flatMap((own, index) => named(own, index)).filter(({ type }) => types.includes(type));
  const figures = compare(expected, actual);
  const byType = groupBy(expected, ({ type }) => type);
  const foundByType = groupBy(actual, ({ type }) => type);
  const ofTypes = [...byType].map(([type, own]) => [type, compare(own, foundByType.get(type) ?? [])] as const);
  const lines = ofTypes.map(([type, own]) => `${type}: ${describe(own)}`);
  return {
    figures: { ...figures, types: Object.fromEntries(ofTypes) },
    lines: ofTypes.length === 1 ? lines : [...lines, `all: ${describe(figures)}`],
    decisions: tags.flat(),
    truncated: countTruncated(results),
  };
}

function checkScheme(labels: readonly string[]): void {
  const foreign = labels.find((label) => !isTag(label));
  if (foreign !== undefined) {
    const message = `The model's label "${foreign}" is not O, B-TYPE or I-TYPE, which an evaluation of entities needs`;
    throw new HeadlightError('E_INVALID_ARGUMENT', message);
  }
}

/** The file's types. Throws E_INVALID_ARGUMENT for one that the model does not have. */
function typesOf(sentences: readonly Sentence[], file: string, labels: readonly string[]): string[] {
  for (const { tags, line } of sentences) {
    const index = tags.findIndex((tag) => tag !== 'O' && !labels.includes(tag));
    if (index >= 0) failAt(file, line + index, `has the tag ${tags[index]}; the model has ${labels.join(', ')}`);
  }
  return [...new Set(sentences.flatMap(({ tags }) => tags.filter((tag) => tag !== 'O').map(typeOf)))];
}

/** A word's tag is that of its first token; of a word that has none, or was cut off, O. */
function tagsOf(words: readonly string[], tokens: readonly Entity[]): string[] {
  let next = 0;
  return rangesOf(words).map(([start, end]) => {
    while (next < tokens.length && (tokens[next] as Entity).start < start) next++;
    const token = tokens[next];
    return token && token.start < end ? token.entity : 'O';
  });
}

/** Of the words in their text, where one space parts them. */
function rangesOf(words: readonly string[]): Offsets[] {
  let start = 0;
  return words.map((word) => {
    const range: Offsets = [start, start + word.length];
    start = range[1] + 1;
    return range;
  });
}

interface NamedEntity {
  type: string;
  /** The same for the same entity. */
  name: string;
}

function named(tags: readonly string[], sentence: number): NamedEntity[] {
  return entitiesOf(tags).map(({ type, start, end }) => ({ type, name: [sentence, start, end, type].join(' ') }));
}

function compare(expected: readonly NamedEntity[], actual: readonly NamedEntity[]): Figures {
  const names = new Set(expected.map(({ name }) => name));
  const correct = actual.filter(({ name }) => names.has(name)).length;
  const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    precision: ratio(correct, actual.length),
    recall: ratio(correct, expected.length),
    f1: ratio(2 * correct, actual.length + expected.length),
    entities: expected.length,
    found: actual.length,
    correct,
  };
}

function describe({ precision, recall, f1, entities }: Figures): string {
  return `precision ${percent(precision)}, recall ${percent(recall)}, F1 ${percent(f1)}, ${entities} entities`;
}
