// Packages from the npm registry.

import { run, say } from './common.mjs';

const options = ['--no-audit', '--no-fund', '--loglevel', 'error'];

// Runs `npm install` or `npm ci` with args in options.cwd. What fails is tried again after each pause (in seconds):
// a registry refuses now and then what it serves a moment later. These tries ask it anew, since what npm remembers
// of one package may be older than what it has just learnt of another, and then no version fits.
export function npm(args, { pauses = [5, 20], ...spawn } = {}) {
  for (const [attempt, pause] of [...pauses, null].entries()) {
    const online = attempt > 0 ? ['--prefer-online'] : [];
    try {
      return run('npm', [...args, ...options, ...online], spawn);
    } catch (error) {
      if (pause === null) throw error;
      say(`${error.message}; trying again in ${pause} s`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause * 1000);
    }
  }
}
