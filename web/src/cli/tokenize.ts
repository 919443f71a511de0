import { loadTokenizer } from '../load.js';
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

const help = `Usage: headlight tokenize --model DIR [TEXT...]

Prints a token a line: id, token, start and end in UTF-16 units, separated by tabs; an empty line ends a text.

${pairHelp}      --max-length N cut after N tokens, special ones included
      --no-special   without special tokens
`;

export const tokenize: Command = {
  summary: 'tokens, ids and offsets of texts',
  help,
  takes: 'texts',
  options: { ...pairOptions, 'max-length': { type: 'string' }, 'no-special': { type: 'boolean' } },
  async run(values, positionals) {
    const maxLength = wholeNumber(values, 'max-length', help, 1);
    const options = {
      addSpecialTokens: values['no-special'] !== true,
      ...(maxLength !== undefined && { maxLength, truncation: 'longest_first' as const }),
    };
    const tokenizer = await loadTokenizer(modelOf(values, help));
    for await (const text of readTexts(values, positionals, help)) {
      const encoding = await tokenizer.tokenize(toInput(text, values), options);
      if (values['json']) {
        printJson({ text, ...encoding });
      } else {
        const lines = encoding.ids.map((id, index) =>
          [id, cell(encoding.tokens[index] ?? ''), ...(encoding.offsets[index] ?? [])].join('\t'),
        );
        print(`${lines.join('\n')}\n\n`);
      }
    }
  },
};
