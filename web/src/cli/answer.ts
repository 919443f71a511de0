import { load } from '../load.js';
import {
  UsageError,
  cell,
  checkOnlyOne,
  modelOf,
  print,
  printJson,
  readText,
  readTexts,
  textHelp,
  textOptions,
  wholeNumber,
  type Command,
  type Values,
} from './command.js';

const help = `Usage: headlight answer --model DIR --context TEXT [QUESTION...]

Prints the answers that the context holds to each question, one a line: answer, score, start and end in UTF-16 units,
separated by tabs; an empty line ends a question.

${textHelp}      --context TEXT       the text that holds the answer
      --context-file FILE  the same, the whole of a file
      --top N              the N best answers (default 1)
      --no-answer          the empty answer competes
`;

export const answer: Command = {
  summary: 'answers to questions, from a text',
  help,
  takes: 'texts',
  options: {
    ...textOptions,
    context: { type: 'string' },
    'context-file': { type: 'string' },
    top: { type: 'string' },
    'no-answer': { type: 'boolean' },
  },
  async run(values, positionals) {
    const context = contextOf(values);
    const topK = wholeNumber(values, 'top', help, 1);
    const options = { ...(topK !== undefined && { topK }), allowNoAnswer: values['no-answer'] === true };
    const model = await load(modelOf(values, help));
    for await (const question of readTexts(values, positionals, help)) {
      const answers = await model.answer({ question, context }, options);
      if (values['json']) {
        printJson({ question, answers });
        continue;
      }
      for (const { answer: text, score, start, end } of answers) {
        print(`${[cell(text), score.toFixed(4), start, end].join('\t')}\n`);
      }
      print('\n');
    }
  },
};

function contextOf(values: Values): string {
  checkOnlyOne(values, ['context', 'context-file'], help);
  const { context, 'context-file': file } = values;
  if (typeof context === 'string') return context;
  if (typeof file === 'string') return readText(file);
  throw new UsageError('--context TEXT or --context-file FILE is missing', help);
}
