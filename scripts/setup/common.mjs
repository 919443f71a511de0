// What every part of the set-up shares: the prefix, running programs, saying what is done, one at a time.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

export const root = fileURLToPath(new URL('../..', import.meta.url));

// Outside the checkout, so that every checkout finds it again. cmake/prefix.cmake computes the same.
export const prefix =
  process.env.HEADLIGHT_TOOLS ||
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'headlight');

export const isRoot = process.getuid?.() === 0;

// A failure that the user can mend: `remedy` is the line to run.
export class SetupError extends Error {
  constructor(message, remedy) {
    super(remedy ? `${message}\n  Run: ${remedy}` : message);
    this.name = 'SetupError';
  }
}

export function say(message) {
  console.error(`headlight: ${message}`);
}

// Runs a program with its output shown on standard error; throws if it fails.
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw new SetupError(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} ended with ${signal ?? status}`);
}

// A program's standard output, or null if there is no such program or it fails.
export function output(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
  return status === 0 ? stdout : null;
}

// The files in a folder and those within it, by their names from there.
export function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
}

// Of a file's content; folders that are made from it bear it.
export function digestOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex').slice(0, 8);
}

// The first of `names` that PATH holds, as an absolute path, or null.
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // not here
      }
    }
  }
  return null;
}

export function prependToPath(folder) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  if (!folders.includes(folder)) process.env.PATH = [folder, ...folders].join(path.delimiter);
}

// "3.25.1" >= "3.24", number by number.
export function atLeast(version, minimum) {
  const a = version.split('.').map(Number);
  const b = minimum.split('.').map(Number);
  for (let i = 0; i < b.length; i++) {
    if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) > b[i];
  }
  return true;
}

// The first x.y or x.y.z in what `command --version` prints, or null.
export function versionOf(command) {
  return output(command, ['--version'])?.match(/\d+\.\d+(\.\d+)?/)?.[0] ?? null;
}

// Runs `work` while no other process does so for the same name.
export async function exclusively(name, work) {
  fs.mkdirSync(prefix, { recursive: true });
  const lock = path.join(prefix, `.${name}.lock`);
  for (let waited = 0; !acquire(lock); waited++) {
    if (waited === 5) say(`waiting for process ${ownerOf(lock)}, which sets up ${name} too (${lock})`);
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

// The lock is a file that holds its owner's process id. It is linked into place complete, so that nobody
// reads it half written; one whose owner no longer runs is removed.
function acquire(lock) {
  const mine = `${lock}.${process.pid}`;
  fs.writeFileSync(mine, String(process.pid));
  try {
    fs.linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const owner = ownerOf(lock);
    if (owner && !isRunning(owner)) fs.rmSync(lock, { force: true });
    return false;
  } finally {
    fs.rmSync(mine);
  }
}

function ownerOf(lock) {
  try {
    return Number(fs.readFileSync(lock, 'utf8'));
  } catch {
    return null;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
