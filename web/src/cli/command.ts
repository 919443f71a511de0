// What all commands share.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ParseArgsConfig } from 'node:util';
import { HeadlightError, describe } from '../errors.js';
import { reasonOf } from './system-error.js';

export type Values = Record<string, unknown>;

export interface Command {
  summary: string;
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** What its arguments are that belong to no option; without it there are none. */
  takes?: 'texts' | 'folder';
  run(values: Values, positionals: string[]): Promise<void>;
}

/** The command was used wrongly. */
export class UsageError extends Error {
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

export const modelOption = { model: { type: 'string', short: 'm' } } as const;
export const jsonOption = { json: { type: 'boolean' } } as const;
export const textOptions = {
  ...modelOption,
  ...jsonOption,
  file: { type: 'string', short: 'f' },
} as const;
export const pairOptions = { ...textOptions, pair: { type: 'string' } } as const;

export const textHelp = `  -m, --model DIR    folder or URL of the model
  -f, --file FILE    read texts from a file, one a line; without FILE and TEXT from standard input
      --json         one JSON object a line
`;
export const pairHelp = `${textHelp}      --pair TEXT    the other text of a pair, the same for each text
`;

export function print(text: string): void {
  process.stdout.write(text);
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`);
}

/** The value of --model. */
export function modelOf(values: Values, help: string): string {
  const { model } = values;
  if (typeof model !== 'string' || model === '') throw new UsageError('--model DIR is missing', help);
  return model;
}

/** The engine counts to here. */
const most = 2 ** 31 - 1;

/** An option that holds a whole number, from `least` on, or undefined. */
export function wholeNumber(values: Values, name: string, help: string, least = -most): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  const range = least === -most ? '' : ` from ${least} on`;
  const wanted = number > most ? `at most ${most}` : `a whole number${range}, in digits`;
  throw new UsageError(`--${name} must be ${wanted}, not ${JSON.stringify(value)}`, help);
}

/** An option that holds a whole number from 1 on, or `otherwise`. */
export const positiveNumber = (values: Values, name: string, help: string, otherwise: number): number =>
  wholeNumber(values, name, help, 1) ?? otherwise;

/** Throws where of these options more than one is given. */
export function checkOnlyOne(values: Values, names: readonly string[], help: string): void {
  const [one, other] = names.filter((name) => values[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${one} and --${other} exclude each other`, help);
}

/** Throws where one of these options is given without --`needed`. */
export function checkNeeds(values: Values, names: readonly string[], needed: string, help: string): void {
  const alone = names.find((name) => values[name] !== undefined);
  if (alone !== undefined && values[needed] === undefined) throw new UsageError(`--${alone} is for --${needed}, which is missing`, help);
}

/** The texts given as arguments, else the lines of --file, else those of standard input as they come. */
export async function* readTexts(values: Values, positionals: string[], help: string): AsyncGenerator<string> {
  const { file } = values;
  if (positionals.length > 0) {
    if (file !== undefined) throw new UsageError('texts are arguments or the lines of --file, not both', help);
    yield* positionals;
  } else if (typeof file === 'string') {
    yield* linesOf(readText(file));
  } else if (process.stdin.isTTY) {
    throw new UsageError('there is no text', help);
  } else {
    yield* createInterface({ input: process.stdin, crlfDelay: Infinity });
  }
}

/** A file as UTF-8; throws E_NOT_FOUND. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = reasonOf(error) ?? describe(error);
    throw new HeadlightError('E_NOT_FOUND', `${file} cannot be read: ${reason}`, { file }, { cause: error });
  }
}

export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** An Input of a text and --pair. */
export function toInput(text: string, values: Values): string | { text: string; textPair: string } {
  return typeof values['pair'] === 'string' ? { text, textPair: values['pair'] } : text;
}

/** A text as one cell of a table. */
export function cell(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ');
}
