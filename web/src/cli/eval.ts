import { HeadlightError } from '../errors.js';
import { load } from '../load.js';
import {
  UsageError,
  jsonOption,
  linesOf,
  modelOf,
  modelOption,
  print,
  printJson,
  readText,
  type Command,
} from './command.js';
import type { Input } from '../types.js';

const help = `Usage: headlight eval --model DIR --data FILE.tsv [--json]

Classifies each row and prints how many labels are right. The file's first line names its columns, separated by
tabs: label and text, and text_pair for pairs.
`;

/** Texts in one call. */
const batchSize = 32;

interface Row {
  label: string;
  input: Input;
}

export const evaluate: Command = {
  summary: 'accuracy over a file of labelled texts',
  help,
  options: { ...modelOption, ...jsonOption, data: { type: 'string', short: 'd' } },
  async run(values) {
    const { data } = values;
    if (typeof data !== 'string') throw new UsageError('--data FILE.tsv is missing', help);
    const model = await load(modelOf(values, help));
    const { labels: names } = model.info;
    // A label is a name or, as data sets of numbers have it, an index.
    const nameOf = (label: string) => (names.includes(label) ? label : (names[/^\d+$/.test(label) ? Number(label) : -1] ?? label));
    const rows = readRows(data).map((row) => ({ ...row, label: nameOf(row.label) }));
    const unknown = rows.find(({ label }) => !model.info.labels.includes(label));
    if (unknown) {
      const labels = model.info.labels.join(', ');
      throw new HeadlightError(
        'E_INVALID_ARGUMENT',
        `${data} has the label ${unknown.label}; the model has ${labels}`,
        { file: data },
      );
    }
    let correct = 0;
    for (let start = 0; start < rows.length; start += batchSize) {
      const batch = rows.slice(start, start + batchSize);
      const results = await model.classify(
        batch.map(({ input }) => input),
        { topK: 1 },
      );
      correct += results.filter(([best], index) => best?.label === batch[index]?.label).length;
    }
    const total = rows.length;
    const accuracy = correct / total;
    if (values['json']) printJson({ correct, total, accuracy });
    else print(`${correct}/${total} = ${(100 * accuracy).toFixed(2)} %\n`);
  },
};

function readRows(file: string): Row[] {
  const [header = '', ...lines] = linesOf(readText(file));
  const names = header.split('\t');
  const [label, text, textPair] = ['label', 'text', 'text_pair'].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  if (label < 0 || text < 0) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `${file} has no columns label and text`, { file });
  }
  if (lines.length === 0) throw new HeadlightError('E_INVALID_ARGUMENT', `${file} has no rows`, { file });
  return lines.map((line, index) => {
    const cells = line.split('\t');
    const [own, first, second] = [cells[label], cells[text], cells[textPair]];
    if (own === undefined || first === undefined) {
      throw new HeadlightError('E_INVALID_ARGUMENT', `Line ${index + 2} of ${file} has too few columns`, { file });
    }
    return { label: own, input: second === undefined ? first : { text: first, textPair: second } };
  });
}
