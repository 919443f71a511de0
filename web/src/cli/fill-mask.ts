import { load } from '../load.js';
import {
  cell,
  modelOf,
  print,
  printJson,
  readTexts,
  textHelp,
  textOptions,
  wholeNumber,
  type Command,
} from './command.js';
import type { FilledMask } from '../types.js';

const help = `Usage: headlight fill-mask --model DIR [TEXT...]

Prints the best words for each mask token of a text, one a line: word, score and the filled text, separated by tabs; an
empty line ends a mask.

${textHelp}      --top N        the N best words (default 5)
      --target WORD  a word to choose from; may be given several times
`;

export const fillMask: Command = {
  summary: 'words in place of masks',
  help,
  takes: 'texts',
  options: { ...textOptions, top: { type: 'string' }, target: { type: 'string', multiple: true } },
  async run(values, positionals) {
    const topK = wholeNumber(values, 'top', help, 1);
    const targets = values['target'] as string[] | undefined;
    const model = await load(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const filled = await model.fillMask(text, { ...(topK !== undefined && { topK }), ...(targets && { targets }) });
      if (values['json']) {
        printJson({ text, filled, truncated: filled.truncated });
        continue;
      }
      const masks = Array.isArray(filled[0]) ? (filled as FilledMask[][]) : [filled as FilledMask[]];
      for (const mask of masks) {
        for (const { tokenText, score, sequence } of mask) {
          print(`${[cell(tokenText), score.toFixed(4), cell(sequence)].join('\t')}\n`);
        }
        print('\n');
      }
    }
  },
};
