import { HeadlightError } from '../errors.js';
import { load } from '../load.js';
import { UsageError, jsonOption, modelOf, modelOption, positiveNumber, print, printJson, wholeNumber, type Command } from './command.js';
import { evaluateEntities } from './eval/entities.js';
import { evaluateLabels } from './eval/labels.js';
import { evaluateMasks } from './eval/masks.js';
import { share, type Evaluate, type Evaluation, type EvaluationOptions } from './eval/evaluation.js';
import type { Model } from '../types.js';

const help = `Usage: headlight eval --model DIR --data FILE [options]

Prints how well the model does what it is for:

  classification  the share of texts that get their label. FILE is a table, tabs between columns; its first line names
                  them: label (a name or an index) and text; text_pair for pairs; source for figures of each source
  entities        precision, recall and F1 of whole entities, by type and in all. In FILE a line is word TAB tag (O,
                  B-TYPE, I-TYPE), sentences part at blank lines. The text is the words with a space between; a word's tag
                  is that of its first token, O past the cut; types that FILE does not have do not count
  masked words    how often the word that was masked comes first, and among the first five. FILE is a table with a column
                  text (.tsv; source is understood), else a text a line. Of the words that are one token each, 15 % are
                  masked, chosen by the seed

  -m, --model DIR       folder or URL of the model
  -d, --data FILE
      --max-length N    cut texts at N tokens (default 128)
      --seed N          of the masks (default 1)
      --against DIR     another model: for how many texts (words of entities, masks) both say the same
      --json            print one JSON object
`;

/** By the call that the model must fit. */
const kinds: Record<string, Evaluate> = {
  classify: evaluateLabels,
  entities: evaluateEntities,
  fillMask: evaluateMasks,
};

export const evaluate: Command = {
  summary: 'how right a model is over a file of texts',
  help,
  options: {
    ...modelOption,
    ...jsonOption,
    data: { type: 'string', short: 'd' },
    'max-length': { type: 'string' },
    seed: { type: 'string' },
    against: { type: 'string' },
  },
  async run(values) {
    const { data, against } = values;
    if (typeof data !== 'string') throw new UsageError('--data FILE is missing', help);
    const options = readOptions(values);
    const evaluation = await evaluateModel(modelOf(values, help), data, options);
    const { lines, truncated } = evaluation;
    const figures = { ...evaluation.figures, truncated };
    if (truncated > 0) lines.push(`texts that were cut: ${truncated}`);
    if (typeof against === 'string') {
      const other = await evaluateModel(against, data, options);
      const agreement = compare(evaluation, other, data);
      Object.assign(figures, { agreement });
      lines.push(`the same as ${against}: ${share(agreement.same, agreement.total)}`);
    }
    if (values['json']) printJson(figures);
    else print(`${lines.join('\n')}\n`);
  },
};

function readOptions(values: Parameters<Command['run']>[0]): EvaluationOptions {
  return { maxLength: positiveNumber(values, 'max-length', help, 128), seed: wholeNumber(values, 'seed', help) ?? 1 };
}

async function evaluateModel(folder: string, data: string, options: EvaluationOptions): Promise<Evaluation> {
  const model = await load(folder);
  try {
    return await kindOf(model)(model, data, options);
  } finally {
    model.dispose();
  }
}

/** Throws E_TASK_MISMATCH for a model that none is for. */
function kindOf(model: Model): Evaluate {
  const { tasks, architecture, family } = model.info;
  const task = Object.keys(kinds).find((name) => tasks.includes(name));
  if (task !== undefined) return kinds[task] as Evaluate;
  const wanted = Object.keys(kinds).join(', ');
  throw new HeadlightError(
    'E_TASK_MISMATCH',
    `eval needs a model that fits one of ${wanted}; the model is ${architecture || `a bare ${family} encoder`}`,
  );
}

function compare({ decisions }: Evaluation, other: Evaluation, file: string): { same: number; total: number } {
  if (decisions.length !== other.decisions.length) {
    const message = 'The two models read the texts differently: their masks cannot be compared';
    throw new HeadlightError('E_INVALID_ARGUMENT', message, { file });
  }
  return { same: decisions.filter((decision, index) => decision === other.decisions[index]).length, total: decisions.length };
}
