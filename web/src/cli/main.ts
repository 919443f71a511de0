#!/usr/bin/env node
// The command line: `headlight COMMAND`, one file a command.

import { parseArgs } from 'node:util';
import { HeadlightError } from '../errors.js';
import { UsageError, print, type Command } from './command.js';
import { answer } from './answer.js';
import { attention } from './attention.js';
import { classify } from './classify.js';
import { embed } from './embed.js';
import { entities } from './entities.js';
import { evaluate } from './eval.js';
import { measureFaithfulness } from './faithfulness.js';
import { fillMask } from './fill-mask.js';
import { info } from './info.js';
import { pack } from './pack.js';
import { prune } from './prune.js';
import { site } from './site.js';
import { tokenize } from './tokenize.js';

const commands: Record<string, Command> = {
  classify,
  entities,
  'fill-mask': fillMask,
  answer,
  embed,
  attention,
  tokenize,
  info,
  eval: evaluate,
  faithfulness: measureFaithfulness,
  pack,
  prune,
  site,
};

const help = `Usage: headlight COMMAND [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
  .join('\n')}

headlight COMMAND --help tells more.
Exit codes: 0 done, 1 failed, 2 used wrongly.
`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') return print(help);
  const command = name === undefined ? undefined : commands[name];
  if (!command) throw new UsageError(name === undefined ? 'no command' : `there is no command ${name}`, help);
  const { values, positionals } = parse(command, args);
  if (values['help']) return print(command.help);
  await command.run(values, positionals);
}

function parse(command: Command, args: string[]): ReturnType<typeof parseArgs> {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: joinNegatives(args), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, command.help);
  }
}

/** "--layer -1" as "--layer=-1", which parseArgs would take for another option. */
function joinNegatives(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const option = joined.at(-1);
    if (/^-\d+$/.test(arg) && option && /^--[a-z-]+$/.test(option)) joined[joined.length - 1] = `${option}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, `head` perhaps, has had enough.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`headlight: ${error.message}\n\n${error.help}`);
    process.exitCode = 2;
    return;
  }
  const { code, message, advice } = HeadlightError.report(error);
  process.stderr.write(`headlight: ${code}: ${message}\n${advice}\n`);
  process.exitCode = 1;
});
