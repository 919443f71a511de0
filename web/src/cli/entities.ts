import { load } from '../load.js';
import {
  UsageError,
  cell,
  modelOf,
  print,
  printJson,
  readTexts,
  textHelp,
  textOptions,
  type Command,
  type Values,
} from './command.js';
import type { Aggregation } from '../types.js';

const aggregations: readonly string[] = ['none', 'simple', 'first', 'average', 'max', 'word'] satisfies Aggregation[];

const help = `Usage: headlight entities --model DIR [TEXT...]

Prints the entities of each text, one a line: name, score, start and end in UTF-16 units, text; an empty line ends a
text. A text that is too long is read in windows.

${textHelp}      --aggregation A  none, simple, first, average, max or word (default word)
`;

export const entities: Command = {
  summary: 'names of persons, places, diseases … in texts',
  help,
  takes: 'texts',
  options: { ...textOptions, aggregation: { type: 'string' } },
  async run(values, positionals) {
    const aggregation = readAggregation(values);
    const model = await load(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const found = await model.entities(text, { aggregation, overlong: 'window' });
      if (values['json']) {
        printJson({ text, entities: found });
        continue;
      }
      for (const { entity, score, start, end } of found) {
        print(`${[entity, score.toFixed(4), start, end, cell(text.slice(start, end))].join('\t')}\n`);
      }
      print('\n');
    }
  },
};

function readAggregation({ aggregation = 'word' }: Values): Aggregation {
  if (typeof aggregation === 'string' && aggregations.includes(aggregation)) return aggregation as Aggregation;
  throw new UsageError(`--aggregation must be one of ${aggregations.join(', ')}, not ${JSON.stringify(aggregation)}`, help);
}
