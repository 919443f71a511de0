import { load } from '../load.js';
import {
  cell,
  modelOf,
  print,
  printJson,
  readTexts,
  pairHelp,
  pairOptions,
  toInput,
  wholeNumber,
  type Command,
} from './command.js';

const help = `Usage: headlight classify --model DIR [TEXT...]

Prints the label, its score and the text, separated by tabs.

${pairHelp}      --top N        the N best labels (default 1; with --json all)
`;

export const classify: Command = {
  summary: 'labels and scores of texts',
  help,
  takes: 'texts',
  options: { ...pairOptions, top: { type: 'string' } },
  async run(values, positionals) {
    const topK = wholeNumber(values, 'top', help, 1) ?? (values['json'] ? undefined : 1);
    const model = await load(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const labels = await model.classify(toInput(text, values), { ...(topK !== undefined && { topK }) });
      if (values['json']) {
        printJson({ text, labels, truncated: labels.truncated });
      } else {
        const columns = labels.flatMap(({ label, score }) => [label, score.toFixed(4)]);
        print(`${[...columns, cell(text)].join('\t')}\n`);
      }
    }
  },
};
