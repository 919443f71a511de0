// Accuracy of a classifier over a table of labelled texts.

import { readTable } from './table.js';
import { countTruncated, failAt, figuresBySource, inBatches, share, type Evaluation, type EvaluationOptions } from './evaluation.js';
import type { Input, Model } from '../../types.js';

interface Example {
  source: string | undefined;
  label: string;
  input: Input;
}

export async function evaluateLabels(
  model: Model,
  file: string,
  { maxLength }: EvaluationOptions,
): Promise<Evaluation> {
  const examples = readExamples(file, model.info.labels);
  const results = await inBatches(examples, (batch) =>
    model.classify(
      batch.map(({ input }) => input),
      { topK: 1, maxLength },
    ),
  );
  const decisions = results.map(([best]) => best?.label ?? '');
  const judged = examples.map(({ source, label }, index) => ({ source, right: decisions[index] === label }));
  const figuresOf = (items: readonly { right: boolean }[]) => {
    const correct = items.filter(({ right }) => right).length;
    return { correct, total: items.length, accuracy: correct / items.length };
  };
  return {
    ...figuresBySource(judged, figuresOf, ({ correct, total }) => share(correct, total)),
    decisions,
    truncated: countTruncated(results),
  };
}

function readExamples(file: string, names: readonly string[]): Example[] {
  return readTable(file, ['label', 'text']).map(({ line, cells: { label: given, text, text_pair: textPair, source } }) => {
    // A label is a name or, as data sets of numbers have it, an index.
    const label = names.includes(given) ? given : /^\d+$/.test(given) ? names[Number(given)] : undefined;
    if (label === undefined) failAt(file, line, `has the label "${given}"; the model has ${names.join(', ')}`);
    return { source, label, input: textPair === undefined ? text : { text, textPair } };
  });
}
