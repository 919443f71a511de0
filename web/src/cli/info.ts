import { load } from '../load.js';
import { jsonOption, modelOf, modelOption, print, printJson, type Command } from './command.js';
import { verify } from './manifest.js';

const help = `Usage: headlight info --model DIR [--verify] [--json]

Prints what the folder holds: family, sizes, labels, the calls that fit, what was not used.

      --verify       compare a pack's files with the SHA-256 sums of its manifest first
`;

export const info: Command = {
  summary: 'what a model is',
  help,
  options: { ...modelOption, ...jsonOption, verify: { type: 'boolean' } },
  async run(values) {
    const folder = modelOf(values, help);
    const verified = values['verify'] ? { verifiedFiles: await verify(folder) } : {};
    const model = await load(folder);
    if (values['json']) return printJson({ ...model.info, platform: model.platform, ...verified });
    for (const [name, value] of Object.entries({ ...model.info, ...verified })) {
      if (value !== null) print(`${name.padEnd(19)} ${show(value)}\n`);
    }
  },
};

function show(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
