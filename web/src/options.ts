// What a caller gives: read once, and refused where it is not what the call takes.

import { HeadlightError, describe } from './errors.js';
import type { RunOptions } from './types.js';

/** The names of a call's options: TypeScript holds the table to the type. */
export type OptionNames<Options> = Readonly<Record<keyof Options, 1>>;

/**
 * The options as they are now, those that are undefined left out. Throws E_INVALID_ARGUMENT for options that are no object
 * or cannot be read, an option that there is not, a signal that is none and an onProgress that is no function.
 */
export function readOptions<Options extends object>(
  given: Options | undefined,
  names: OptionNames<Options>,
  of = 'in this call',
): Options {
  if (given === undefined) return {} as Options;
  const options = reading('The options', () => {
    if (!isObject(given)) throw wrong('The options', 'an object', given);
    for (const name of Object.keys(given)) if (!Object.hasOwn(names, name)) throw unknownOption(name, Object.keys(names), of);
    const values = Object.keys(names).map((name) => [name, given[name as keyof Options]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Options;
  });
  const { signal, onProgress } = options as RunOptions;
  if (isGiven(signal) && !isSignal(signal)) throw wrong('signal', 'an AbortSignal', signal);
  checkFunction('onProgress', onProgress);
  return options;
}

/** As with the engine's options, null counts as not given. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Not so a Proxy that was revoked, of which nothing can be read. */
export function isObject(value: unknown): value is object {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Stops at the first item that is none: a list with holes may be as long as 2³² items. */
export function isListOf<Item>(value: unknown, isItem: (item: Item) => boolean): value is Item[] {
  if (!Array.isArray(value)) return false;
  for (const item of value as Item[]) if (!isItem(item)) return false;
  return true;
}

export const isText = (value: unknown): boolean => typeof value === 'string';

export function checkFunction(name: string, value: unknown): void {
  if (isGiven(value) && typeof value !== 'function') throw wrong(name, 'a function', value);
}

export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (isGiven(value) && !choices.includes(value as string)) {
    throw wrong(name, choices.map((choice) => JSON.stringify(choice)).join(' or '), value);
  }
}

/** By what is called of it, since a signal may come from another realm. */
function isSignal(value: unknown): boolean {
  return reading('signal', () => {
    if (!isObject(value)) return false;
    const { aborted, throwIfAborted, addEventListener } = value as Partial<AbortSignal>;
    return typeof aborted === 'boolean' && typeof throwIfAborted === 'function' && typeof addEventListener === 'function';
  });
}

/**
 * A value as JSON has it, for the engine, which says what else is wrong with it. Throws E_INVALID_ARGUMENT, with the place
 * in it, for what JSON cannot hold or would leave out.
 */
export const toPlain = (name: string, value: unknown): unknown => reading(name, () => plain(name, value, 0));

const mostNested = 8;

function plain(name: string, value: unknown, depth: number): unknown {
  const kind = typeof value;
  if (value === null || kind === 'string' || kind === 'number' || kind === 'boolean') return value;
  if (kind !== 'object') throw invalid(`${name} cannot be ${show(value)}`);
  if (depth > mostNested) throw invalid(`${name} is nested too deeply`);
  if (Array.isArray(value)) return Array.from(value, (item: unknown, i) => plain(`${name}[${i}]`, item, depth + 1));
  const members = Object.entries(value as object).filter(([, item]) => item !== undefined);
  return Object.fromEntries(members.map(([key, item]) => [key, plain(`${name}.${key}`, item, depth + 1)]));
}

/** What `read` gives; E_INVALID_ARGUMENT where a getter or a Proxy of the caller's throws. */
export function reading<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof HeadlightError) throw cause;
    throw new HeadlightError('E_INVALID_ARGUMENT', `${what} cannot be read: ${describe(cause)}`, {}, { cause });
  }
}

export const invalid = (message: string): HeadlightError => new HeadlightError('E_INVALID_ARGUMENT', message);

export const wrong = (name: string, wanted: string, given: unknown): HeadlightError =>
  invalid(`${name} must be ${wanted}, not ${show(given)}`);

const mostShown = 60;

/** Any value, for a message. */
export function show(value: unknown): string {
  const cut = (text: string) => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value === 'bigint') return `the BigInt ${cut(String(value))}`;
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return isObject(value) ? 'an object' : 'a list';
}

function unknownOption(name: string, names: readonly string[], of: string): HeadlightError {
  const near = nearest(name, names);
  const instead = near === undefined ? `there are ${names.join(', ')}` : `is '${near}' meant?`;
  return invalid(`There is no option ${show(name).replaceAll('"', "'")} ${of}: ${instead}`);
}

/** The one of the names that was probably meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => distance(bare(name), bare(known)));
  const least = Math.min(...distances);
  return least <= Math.ceil(bare(name).length / 3) ? names[distances.indexOf(least)] : undefined;
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_]/g, '').slice(0, mostShown);

/** Letters to add, leave out or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
