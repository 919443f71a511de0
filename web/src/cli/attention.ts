import { load } from '../load.js';
import {
  UsageError,
  cell,
  checkOnlyOne,
  modelOf,
  print,
  printJson,
  readTexts,
  pairHelp,
  pairOptions,
  toInput,
  wholeNumber,
  type Command,
  type Values,
} from './command.js';
import type { AttentionOptions, AttentionResult } from '../types.js';

const help = `Usage: headlight attention --model DIR [TEXT...]

Prints how much attention the query gives to each token: the token and its weight, separated by a tab, one token a
line; an empty line ends a text. With more than one row of weights left (--all-heads, --query all) there is a column
for each.

${pairHelp}      --layer N      the layer, from 0; negatives count from the end (default -1)
      --head N       one head, from 0 (default: the mean over heads)
      --all-heads    all heads, each for itself
      --query Q      cls (default), all, or the index of a token
      --scale S      none (default), minmax-heads, sum
      --words        whole words instead of tokens
      --special      special tokens, too
`;

export const attention: Command = {
  summary: 'what the model looked at, token by token',
  help,
  takes: 'texts',
  options: {
    ...pairOptions,
    layer: { type: 'string' },
    head: { type: 'string' },
    'all-heads': { type: 'boolean' },
    query: { type: 'string' },
    scale: { type: 'string' },
    words: { type: 'boolean' },
    special: { type: 'boolean' },
  },
  async run(values, positionals) {
    const options = readOptions(values);
    const model = await load(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const result = await model.attention(toInput(text, values), options);
      if (values['json']) {
        printJson({ text, ...result, weights: { ...result.weights, data: [...result.weights.data] } });
      } else {
        print(`${table(result, options.words === true)}\n`);
      }
    }
  },
};

function readOptions(values: Values): AttentionOptions {
  checkOnlyOne(values, ['head', 'all-heads'], help);
  const head = wholeNumber(values, 'head', help);
  const scale = readScale(values);
  if (scale === 'minmax-heads' && !values['all-heads']) {
    throw new UsageError('--scale minmax-heads scales over the heads, and needs --all-heads', help);
  }
  return {
    query: readQuery(values),
    layers: [wholeNumber(values, 'layer', help) ?? -1],
    ...(head !== undefined && { heads: [head] }),
    reduceHeads: values['all-heads'] ? 'none' : 'mean',
    scale,
    words: values['words'] === true,
    specialTokens: values['special'] === true,
  };
}

function readQuery({ query = 'cls' }: Values): 'cls' | 'all' | number {
  if (query === 'cls' || query === 'all') return query;
  if (typeof query === 'string' && /^\d+$/.test(query)) return Number(query);
  throw new UsageError(`--query must be cls, all or the index of a token, not ${JSON.stringify(query)}`, help);
}

function readScale({ scale = 'none' }: Values): 'none' | 'minmax-heads' | 'sum' {
  if (scale === 'none' || scale === 'minmax-heads' || scale === 'sum') return scale;
  throw new UsageError(`--scale must be none, minmax-heads or sum, not ${JSON.stringify(scale)}`, help);
}

/** A line a key, a column for each of the other axes' entries. */
function table({ tokens, words, keys, weights }: AttentionResult, byWord: boolean): string {
  const rows = weights.data.length / Math.max(1, keys.length);
  return keys
    .map((key, column) => {
      const cells = Array.from({ length: rows }, (_, row) =>
        (weights.data[row * keys.length + column] ?? 0).toFixed(4),
      );
      return `${[cell((byWord ? words : tokens)[key]?.text ?? ''), ...cells].join('\t')}\n`;
    })
    .join('');
}
