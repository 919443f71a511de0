// Folders and files that a command writes: what may be replaced, and that they appear whole or not at all.

import fs from 'node:fs';
import path from 'node:path';
import { HeadlightError, describe } from '../errors.js';
import { makeFolder } from '../make-folder.js';

/**
 * Throws E_INVALID_ARGUMENT where the folder would take the place of its source, of the current folder, or of anything but
 * an older one of its `kind`; of that, too, without `force`.
 */
export function checkOutput(
  source: string,
  output: string,
  { force, kind, isOne }: { force: boolean; kind: string; isOne: (names: string[]) => boolean },
): void {
  const to = fs.existsSync(output) ? fs.realpathSync(output) : path.resolve(output);
  const holds = (inner: string) => fs.existsSync(inner) && `${fs.realpathSync(inner)}${path.sep}`.startsWith(to + path.sep);
  if (holds(source)) throw refusal(output, 'holds the folder of the model');
  if (holds('.')) throw refusal(output, 'holds the current folder');
  const there = readFolder(output);
  if (!there && fs.existsSync(output)) throw refusal(output, 'is no folder');
  if (!there || there.length === 0) return;
  if (!isOne(there)) throw refusal(output, `is not empty and is no ${kind}; --force replaces ${kind}s alone`);
  if (!force) throw refusal(output, 'is not empty; --force replaces it');
}

export function refusal(output: string, why: string): HeadlightError {
  return new HeadlightError('E_INVALID_ARGUMENT', `${output} ${why}`, { file: output });
}

/** As `atomically`, a folder. */
export const folderAtomically = <Result>(output: string, write: (target: string) => Promise<Result>): Promise<Result> =>
  atomically(output, (target) => {
    fs.mkdirSync(target);
    return write(target);
  });

/** Writes a file or a folder beside `output`, then renames it. What is half done is removed, on Ctrl-C as well. */
export async function atomically<Result>(output: string, write: (target: string) => Promise<Result>): Promise<Result> {
  const final = path.resolve(output);
  const target = `${final}.partial-${process.pid}`;
  const remove = () => {
    if (fs.existsSync(target)) fs.rmSync(target, { recursive: true, force: true });
  };
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await makeFolder(path.dirname(target));
    const result = await write(target);
    replace(final, target);
    return result;
  } catch (error) {
    if (error instanceof HeadlightError) throw error;
    throw new HeadlightError(
      'E_INVALID_ARGUMENT',
      `${output} cannot be written: ${describe(error)}`,
      { file: output },
      { cause: error },
    );
  } finally {
    remove();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
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
  if (!names) throw new HeadlightError('E_NOT_FOUND', `There is no folder ${folder}`, { file: folder });
  return names;
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
