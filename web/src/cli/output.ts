// Folders and files that a command writes: what may be replaced, and that they appear whole or not at all.

import fs from 'node:fs';
import path from 'node:path';
import { HeadlightError, describe } from '../errors.js';
import { makeFolder } from '../make-folder.js';
import { reasonOf } from './system-error.js';

/** What a command writes, and may replace. */
export interface Output {
  force: boolean;
  /** 'pack' */
  kind: string;
  /** The files that headlight wrote into a folder, by their paths in it with '/'; null for a folder that is no `kind`. */
  written(folder: string): string[] | null;
}

/**
 * Throws E_INVALID_ARGUMENT where the folder would lie in its source, or take the place of it, of the current folder, of anything
 * but an older one of its `kind`, or of files that headlight did not write; of what it wrote, too, without `force`.
 */
export function checkOutput(source: string, output: string, { force, kind, written }: Output): void {
  const to = realPath(output);
  const holds = (inner: string) => fs.existsSync(inner) && `${fs.realpathSync(inner)}${path.sep}`.startsWith(to + path.sep);
  if (holds(source)) throw refusal(output, 'holds the folder of the model');
  if (holds('.')) throw refusal(output, 'holds the current folder');
  checkOutside(source, output);
  const there = readFolder(output);
  if (!there && fs.existsSync(output)) throw refusal(output, 'is a file, where a folder is to be written');
  if (!there || there.length === 0) return;
  const own = written(output);
  if (!own) throw refusal(output, `is not empty and is no ${kind}; --force replaces ${kind}s alone`);
  const foreign = foreignFiles(output, new Set(own));
  if (foreign.length > 0) {
    const advice = 'Move them elsewhere, or write to another folder and copy from there.';
    throw refusal(output, `has what headlight did not write, and replacing the ${kind} would remove it: ${listed(foreign)}`, advice);
  }
  if (!force) throw refusal(output, `is a ${kind} already; --force replaces it`);
}

/** Throws E_INVALID_ARGUMENT where a file or folder would be written into the folder of the model. */
export function checkOutside(source: string, output: string): void {
  if (!fs.existsSync(source)) return;
  const isInside = `${realPath(output)}${path.sep}`.startsWith(fs.realpathSync(source) + path.sep);
  if (isInside) throw refusal(output, `lies in the folder of the model, ${source}, which is only read`);
}

/** The absolute path without links, of what need not be there yet. */
function realPath(place: string): string {
  const absolute = path.resolve(place);
  if (fs.existsSync(absolute)) return fs.realpathSync(absolute);
  const above = path.dirname(absolute);
  return above === absolute ? absolute : path.join(realPath(above), path.basename(absolute));
}

export function refusal(output: string, why: string, advice = 'Give another place by -o.'): HeadlightError {
  return new HeadlightError('E_INVALID_ARGUMENT', `${output} ${why}`, { file: output }, { advice });
}

/** What file managers leave behind. */
const ofNoValue = ['.DS_Store', 'Thumbs.db', 'desktop.ini'];

/** What is in a folder beside these files; of a folder with none of them its name alone, with '/' at its end. */
function foreignFiles(folder: string, own: ReadonlySet<string>, within = ''): string[] {
  return fs.readdirSync(path.join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const name = `${within}${entry.name}`;
    if (!entry.isDirectory()) return own.has(name) || ofNoValue.includes(entry.name) ? [] : [name];
    const holdsOwn = [...own].some((file) => file.startsWith(`${name}/`));
    return holdsOwn ? foreignFiles(folder, own, `${name}/`) : [`${name}/`];
  });
}

const mostListed = 5;

const listed = (names: readonly string[]): string =>
  names.length <= mostListed + 1 ? names.join(', ') : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`;

/** As `atomically`, a folder. */
export const folderAtomically = <Result>(output: string, write: (target: string) => Promise<Result>): Promise<Result> =>
  atomically(output, (target) => {
    fs.mkdirSync(target);
    return write(target);
  });

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];

/** Writes a file or a folder beside `output`, then renames it. What is half done is removed, on Ctrl-C as well. */
export async function atomically<Result>(output: string, write: (target: string) => Promise<Result>): Promise<Result> {
  const final = path.resolve(output);
  const target = `${final}.partial-${process.pid}`;
  const missing = missingFolders(path.dirname(target));
  let isDone = false;
  const remove = () => {
    removeAll(target);
    if (isDone) return;
    for (const folder of missing) if (readFolder(folder)?.length === 0) fs.rmdirSync(folder);
  };
  const stop = (signal: keyof typeof exitCodes) => {
    try {
      remove();
    } finally {
      process.exit(exitCodes[signal]);
    }
  };
  for (const signal of signals) process.once(signal, stop);
  try {
    await makeFolder(path.dirname(target));
    const result = await write(target);
    replace(final, target);
    isDone = true;
    return result;
  } catch (error) {
    if (error instanceof HeadlightError || !isAbout(error, final)) throw error;
    throw refusalToWrite(output, error);
  } finally {
    remove();
    for (const signal of signals) process.off(signal, stop);
  }
}

const attempts = 20;
const pauseMilliseconds = 20;

/** Removes a file or folder; again where what was still being written appeared in between. */
function removeAll(target: string): void {
  for (let attempt = 1; fs.existsSync(target); attempt++) {
    try {
      fs.rmSync(target, { recursive: true, force: true });
    } catch (error) {
      if (attempt === attempts) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds);
    }
  }
}

/** Whether an error may be one of writing there, rather than of a file elsewhere that is read. */
function isAbout(error: unknown, final: string): boolean {
  const { path: place } = error as NodeJS.ErrnoException;
  return place === undefined || place.startsWith(final) || final.startsWith(place);
}

function refusalToWrite(output: string, cause: unknown): HeadlightError {
  const message = `${output} cannot be written: ${reasonOf(cause) ?? describe(cause)}`;
  const advice = 'Check that the place is there, may be written to and has room; or give another by -o.';
  return new HeadlightError('E_INVALID_ARGUMENT', message, { file: output }, { cause, advice });
}

/** The folders of a path that are not there, the innermost first. */
function missingFolders(folder: string): string[] {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? [] : [folder, ...missingFolders(path.dirname(folder))];
}

function replace(final: string, target: string): void {
  const old = `${final}.old-${process.pid}`;
  const existed = fs.existsSync(final);
  if (existed) fs.renameSync(final, old);
  try {
    fs.renameSync(target, final);
  } catch (error) {
    if (existed) fs.renameSync(old, final);
    throw error;
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/** The names in the folder of a model. Throws E_NOT_FOUND. */
export function namesIn(folder: string): string[] {
  const names = readFolder(folder);
  if (names) return names;
  const message = fs.existsSync(folder)
    ? `${folder} is no folder`
    : /^\w+:\/\//.test(folder)
      ? `${folder} is an address; this command reads a folder of this machine`
      : `There is no folder ${folder}`;
  throw new HeadlightError('E_NOT_FOUND', message, { file: folder });
}

/** The names in a folder, or null where there is none. */
export function readFolder(folder: string): string[] | null {
  return fs.existsSync(folder) && fs.statSync(folder).isDirectory() ? fs.readdirSync(folder) : null;
}

/** '1 head', '2 heads' */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
