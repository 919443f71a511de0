// The built command, as a program.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { dist } from './built.mjs';

/** Runs `headlight args` and gives { code, out, err }. `during` is given the process. */
export function headlight(args, { input, during } = {}) {
  const child = spawn(process.execPath, [path.join(dist, 'cli.js'), ...args]);
  const texts = { out: '', err: '' };
  child.stdout.on('data', (data) => (texts.out += data));
  child.stderr.on('data', (data) => (texts.err += data));
  child.stdin.on('error', () => {}).end(input ?? '');
  during?.(child);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
}

/** What it prints; it must end well and complain of nothing. */
export async function succeed(args, options) {
  const result = await headlight(args, options);
  assert.deepEqual([result.code, result.err], [0, ''], result.err);
  return result.out;
}

/** It must end with `code`, print nothing and complain of `error`. */
export async function fail(args, code, error, options) {
  const result = await headlight(args, options);
  assert.equal(result.code, code, result.err);
  assert.equal(result.out, '');
  assert.match(result.err, error);
}

export const jsonLines = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
