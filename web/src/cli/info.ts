import { load } from '../load.js';
import { jsonOption, modelOf, modelOption, print, printJson, type Command } from './command.js';

const help = `Usage: headlight info --model DIR [--json]

Prints what the folder holds: family, sizes, labels, the calls that fit.
`;

export const info: Command = {
  summary: 'what a model is',
  help,
  options: { ...modelOption, ...jsonOption },
  async run(values) {
    const model = await load(modelOf(values, help));
    if (values['json']) return printJson({ ...model.info, platform: model.platform });
    for (const [name, value] of Object.entries(model.info)) {
      print(`${name.padEnd(19)} ${Array.isArray(value) ? value.join(', ') : String(value)}\n`);
    }
  },
};
