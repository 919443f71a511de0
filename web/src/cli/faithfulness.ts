import { HeadlightError } from '../errors.js';
import { faithfulness, type WordScores } from '../faithfulness.js';
import { load } from '../load.js';
import { UsageError, jsonOption, modelOf, modelOption, positiveNumber, print, printJson, wholeNumber, type Command } from './command.js';
import { readInputs } from './eval/table.js';
import type { ExplainMethod, Input, Model } from '../types.js';

const help = `Usage: headlight faithfulness --model DIR --data FILE [options]

Tells which method's scores of words can be believed, for a classifier: the words that a method rates highest are taken
out of each text, and the probability of the model's label falls, or does not. Prints a table of methods: the means over
the texts of

  comprehensiveness  how far the label falls without the highest 1, 5, 10, 20 and 50 % of the words; more is better
  sufficiency        how far it falls with these words alone; less is better
  area               the mean fall by tenths of the words, to all; more is better

  -m, --model DIR        folder or URL of the model
  -d, --data FILE        a table, tabs between columns; its first line names them: text, and text_pair for pairs
      --methods LIST     parted by commas; default all: attention (what the first token pays in the last layer but one,
                         the mean of heads), last-attention (the same in the last layer), and those of explain()
      --limit N          so many of the texts, evenly spread over the file (default 200)
      --steps N          of integrated gradients (default 50)
      --max-length N     cut texts at N tokens (default 128)
      --seed N           of the words taken out by chance (default 1)
      --json             print one JSON object
`;

type Score = (model: Model, input: Input, options: Options) => Promise<WordScores>;

interface Options {
  steps: number;
  maxLength: number;
}

const attention =
  (layer: number): Score =>
  async (model, input, { maxLength }) => {
    const layers = [Math.max(-model.info.numHiddenLayers, layer)];
    const options = { layers, reduceHeads: 'mean', words: true, specialTokens: true } as const;
    const { words, weights } = await model.attention(input, { ...options, maxLength });
    return { words, scores: weights.data };
  };

const explained =
  (method: ExplainMethod): Score =>
  async (model, input, { steps, maxLength }) => {
    const { words, scores } = await model.explain(input, { method, steps, maxLength, words: true });
    return { words, scores: scores.data };
  };

const methods: Record<string, Score> = {
  attention: attention(-2),
  'last-attention': attention(-1),
  rollout: explained('rollout'),
  flow: explained('flow'),
  norms: explained('norms'),
  'value-zeroing': explained('value-zeroing'),
  relevance: explained('relevance'),
  'gradient-input': explained('gradient-input'),
  'integrated-gradients': explained('integrated-gradients'),
  occlusion: explained('occlusion'),
};

const measures = ['comprehensiveness', 'sufficiency', 'area'] as const;
type Figures = Record<(typeof measures)[number], number>;

export const measureFaithfulness: Command = {
  summary: "which method's scores of words can be believed",
  help,
  options: {
    ...modelOption,
    ...jsonOption,
    data: { type: 'string', short: 'd' },
    methods: { type: 'string' },
    limit: { type: 'string' },
    steps: { type: 'string' },
    'max-length': { type: 'string' },
    seed: { type: 'string' },
  },
  async run(values) {
    const { data } = values;
    if (typeof data !== 'string') throw new UsageError('--data FILE is missing', help);
    const names = readMethods(values['methods']);
    const positive = (name: string, otherwise: number) => positiveNumber(values, name, help, otherwise);
    const options = { steps: positive('steps', 50), maxLength: positive('max-length', 128) };
    const seed = wholeNumber(values, 'seed', help) ?? 1;
    const chosen = readInputs(data, positive('limit', 200));
    const model = await load(modelOf(values, help));
    try {
      checkClassifies(model);
      const figures = await measure(model, chosen, names, options, seed);
      if (values['json']) printJson({ texts: chosen.length, methods: Object.fromEntries(figures) });
      else print(tableOf(figures));
    } finally {
      model.dispose();
    }
  },
};

/** Before the methods, some of which need more of the model. */
function checkClassifies({ info }: Model): void {
  if (info.tasks.includes('classify')) return;
  const what = info.architecture || `a bare ${info.family} encoder`;
  throw new HeadlightError('E_TASK_MISMATCH', `faithfulness needs a model that classifies texts; the model is ${what}`);
}

function readMethods(given: unknown): string[] {
  if (typeof given !== 'string') return Object.keys(methods);
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(methods, name));
  if (unknown === undefined) return names;
  throw new UsageError(`--methods has ${JSON.stringify(unknown)}, which is no method; there are ${Object.keys(methods).join(', ')}`, help);
}

/** The mean figures by method, the best comprehensiveness first; 'chance' stands for not knowing. */
async function measure(
  model: Model,
  inputs: readonly Input[],
  names: readonly string[],
  options: Options,
  seed: number,
): Promise<[string, Figures][]> {
  const { maxLength } = options;
  const sums = new Map<string, Figures>();
  const add = (name: string, figures: Figures) => {
    const sum = sums.get(name) ?? { comprehensiveness: 0, sufficiency: 0, area: 0 };
    for (const key of measures) sum[key] += figures[key] / inputs.length;
    sums.set(name, sum);
  };
  for (const [index, input] of inputs.entries()) {
    for (const [i, name] of names.entries()) {
      const scores = await methods[name]!(model, input, options);
      const chance = i === 0 ? { randomOrders: 3, seed: seed + index } : { randomOrders: 0 };
      const measured = await faithfulness(model, input, scores, { ...chance, maxLength });
      add(name, measured);
      if (measured.random) add('chance', measured.random);
    }
  }
  return [...sums].sort(([, a], [, b]) => b.comprehensiveness - a.comprehensiveness);
}

function tableOf(figures: readonly [string, Figures][]): string {
  const lines = figures.map(([name, own]) => `| ${name} | ${measures.map((key) => own[key].toFixed(3)).join(' | ')} |`);
  return `${['| method | comprehensiveness | sufficiency | area |', '|---|---:|---:|---:|', ...lines].join('\n')}\n`;
}
