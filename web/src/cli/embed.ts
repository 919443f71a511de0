import { load } from '../load.js';
import {
  UsageError,
  modelOf,
  print,
  printJson,
  readTexts,
  textHelp,
  textOptions,
  wholeNumber,
  type Command,
  type Values,
} from './command.js';
import type { EmbedOptions } from '../types.js';

const help = `Usage: headlight embed --model DIR [TEXT...]

Prints the vector of each text, one a line, its numbers separated by tabs.

${textHelp}      --pooling P    mean, cls or max (default as a folder of sentence-transformers says, else mean)
      --layer N      the hidden state, from 0; negatives count from the end (default -1)
      --normalize    to length 1
      --prompt TEXT  put before each text
`;

export const embed: Command = {
  summary: 'vectors of texts',
  help,
  takes: 'texts',
  options: {
    ...textOptions,
    pooling: { type: 'string' },
    layer: { type: 'string' },
    normalize: { type: 'boolean' },
    prompt: { type: 'string' },
  },
  async run(values, positionals) {
    const options = readOptions(values);
    const model = await load(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const { data, truncated } = await model.embed(text, options);
      if (values['json']) printJson({ text, embedding: [...data], truncated });
      else print(`${[...data].join('\t')}\n`);
    }
  },
};

function readOptions(values: Values): EmbedOptions {
  const { pooling, normalize, prompt } = values;
  const layer = wholeNumber(values, 'layer', help);
  if (pooling !== undefined && pooling !== 'mean' && pooling !== 'cls' && pooling !== 'max') {
    throw new UsageError(`--pooling must be mean, cls or max, not ${JSON.stringify(pooling)}`, help);
  }
  return {
    ...(pooling !== undefined && { pooling }),
    ...(layer !== undefined && { layer }),
    ...(normalize === true && { normalize }),
    ...(typeof prompt === 'string' && { prompt }),
  };
}
