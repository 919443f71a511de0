import { load } from '../load.js';
import { jsonOption, modelOf, modelOption, print, printJson, type Command } from './command.js';
import { headLines } from './heads.js';
import { verify } from './manifest.js';

const help = `Usage: headlight info --model DIR [--verify] [--json]

Prints what the folder holds: family, sizes, labels, the calls that fit, what was not used.

      --verify       compare a pack's files with the SHA-256 sums of its manifest first: of a folder; what comes from a
                     URL is compared as it comes, and needs no option
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
    const prunedHeads = headLines(model.info.prunedHeads);
    for (const [name, value] of Object.entries({ ...model.info, prunedHeads, ...verified })) {
      if (isTold(value)) print(`${name.padEnd(nameWidth)} ${show(value, name === 'prunedHeads' ? `\n${' '.repeat(nameWidth + 1)}` : ', ')}\n`);
    }
  },
};

const nameWidth = 19;

/** Not what there is none of. */
const isTold = (value: unknown): boolean => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

function show(value: unknown, between: string): string {
  if (Array.isArray(value)) return value.join(between);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
