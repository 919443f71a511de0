#!/usr/bin/env node
// The command line: `headlight COMMAND`, one file a command.

import fs from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { HeadlightError, errorAdvice } from '../errors.js';
import { nearest } from '../options.js';
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
import { reasonOf } from './system-error.js';
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

headlight COMMAND --help tells more, headlight --version the version.
Exit codes: 0 done, 1 failed, 2 used wrongly.
`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h') return print(help);
  if (name === '--version') return print(`${version()}\n`);
  if (name === undefined) throw new UsageError('no command', help);
  if (!Object.hasOwn(commands, name)) throw new UsageError(`there is no command ${name}${meant(name, Object.keys(commands))}`, help);
  const command = commands[name] as Command;
  const { values, positionals } = parse(command, args);
  if (values['help']) return print(command.help);
  const [extra] = positionals;
  if (extra !== undefined && !command.takes) throw new UsageError(`${name} takes options alone, not ${JSON.stringify(extra)}`, command.help);
  running = name;
  await command.run(values, positionals);
}

/** The package's; its package.json lies above the built command. */
function version(): string {
  const json = fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(json) as { version: string }).version;
}

/** The command that runs. */
let running = '';

function parse(command: Command, given: string[]): ReturnType<typeof parseArgs> {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as NonNullable<ParseArgsConfig['options']>;
  const args = joinNegatives(given);
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const names = Object.keys(options).map((name) => `--${name}`);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    const fail = (message: string) => new UsageError(message, command.help);
    if (!option) throw fail(`there is no option ${rawName}${meant(rawName, names)}`);
    if (option.type === 'boolean' && value !== undefined) throw fail(`${rawName} takes no value`);
    if (option.type === 'boolean') continue;
    if (value === undefined) throw fail(`${rawName} needs a value`);
    if (!inlineValue && value.length > 1 && value.startsWith('-')) {
      throw fail(`${rawName} needs a value, and ${value} is an option; a value that begins with a dash is given as --${name}=${value}`);
    }
  }
  return parseArgs({ args, options, allowPositionals: true });
}

/** ": is … meant?" for a name that is near to one of these. */
function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === undefined ? '' : `: is ${near} meant?`;
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

/** A fault of a file or folder is none of ours. */
function toTyped(error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const { path } = error as NodeJS.ErrnoException;
  const place = path === undefined ? {} : { file: path };
  const advice = 'Check the path, and that it may be read and written.';
  return new HeadlightError('E_NOT_FOUND', `${path ?? 'A file'} cannot be used: ${reason}`, place, { cause: error, advice });
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
  const { code, message, advice } = HeadlightError.report(toTyped(error));
  const isOfCall = code === 'E_INVALID_ARGUMENT' && advice === errorAdvice[code];
  process.stderr.write(`headlight: ${code}: ${message}\n${isOfCall ? `headlight ${running} --help tells what it takes.` : advice}\n`);
  process.exitCode = 1;
});
