// Which build of the engine runs, and where: decided by probing features, never by the browser's name.

import { HeadlightError } from './errors.js';
import type { Platform } from './types.js';

export interface Features {
  /** WebAssembly with 128-bit SIMD and exceptions. */
  engine: boolean;
  workers: boolean;
  /** Whether this is a page, whose thread should be left alone. */
  page: boolean;
}

export interface Wishes {
  threads?: number | undefined;
  worker?: boolean | undefined;
}

// (func (drop (i8x16.popcnt (i8x16.splat (i32.const 0)))))
const simdModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 98, 26, 11,
];
// (func try nop catch_all end), in the encoding that all engines with exceptions know
const exceptionsModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
];

export function probeFeatures(): Features {
  const known = (module: number[]) => typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(module));
  return {
    engine: known(simdModule) && known(exceptionsModule),
    workers: typeof Worker === 'function',
    page: typeof document === 'object',
  };
}

/** Throws E_WASM or E_WORKER for what is not to be had, E_INVALID_ARGUMENT for what is no number of threads. */
export function choosePlatform(features: Features, wishes: Wishes = {}): Platform {
  const { threads = 1, worker = features.workers && features.page } = wishes;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `threads must be a whole number, at least 1, not ${threads}`);
  }
  if (typeof worker !== 'boolean') {
    throw new HeadlightError('E_INVALID_ARGUMENT', `worker must be true or false, not ${String(worker)}`);
  }
  if (!features.engine) {
    throw new HeadlightError('E_WASM', 'This engine lacks WebAssembly with 128-bit SIMD and exceptions: it is too old');
  }
  if (worker && !features.workers) {
    throw new HeadlightError('E_WORKER', 'There are no web workers here: pass worker: false');
  }
  const place = worker ? 'in a worker' : 'on the calling thread';
  const asked = threads > 1 ? ` rather than the ${threads} asked for` : '';
  return {
    build: 'simd128',
    threads: 1,
    worker,
    reason: `128-bit SIMD ${place}; one thread${asked}, for there is no build with threads`,
  };
}
