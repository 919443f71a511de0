// Which build of the engine runs, and where: decided by probing features, never by the browser's name.

import { HeadlightError } from './errors.js';
import { oneThread } from './files.js';
import { nodeModule } from './node.js';
import { show } from './options.js';
import type { ShippedBuild } from './build-names.js';
import type { StartedBuild } from './builds.js';
import type { Platform } from './types.js';

export interface Features {
  /** WebAssembly with 128-bit SIMD and exceptions. */
  engine: boolean;
  /** Relaxed SIMD that computes rightly; 'wrong' where it is there and does not. */
  relaxed: boolean | 'wrong';
  workers: boolean;
  /** Memory that threads share, and workers for these: on pages that are cross-origin isolated, and in Node. */
  sharedMemory: boolean;
  /** Why there are no builds with threads; absent: there are. */
  oneThread?: string;
  /** Threads that the processor runs at once. */
  cores: number;
  /** Whether this is a page, whose thread should be left alone. */
  page: boolean;
}

export interface Wishes {
  build?: 'auto' | ShippedBuild | undefined;
  threads?: 'auto' | number | undefined;
  worker?: boolean | undefined;
}

/** What is started: a platform whose build may still turn out to compute wrongly. */
export interface Choice {
  build: ShippedBuild;
  threads: number;
  worker: boolean;
  /** Why it is not the fastest build; empty where it is. */
  passedOver: string;
  /** Why there is one thread, or are fewer than were asked for; empty where there are as many. */
  threadsLack: string;
}

// (func (drop (i8x16.popcnt (i8x16.splat (i32.const 0)))))
const simdModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 98, 26, 11,
];
// (func try nop catch_all end), in the encoding that all engines with exceptions know
const exceptionsModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
];
// (func (export "dot") (param i32 i32 i32 i32) (result i32) (i32x4.all_true (i32x4.eq
//   (i32x4.relaxed_dot_i8x16_i7x16_add_s (splat 0) (splat 1) (splat 2)) (splat 3))))
// (func (export "madd") (param f32 f32 f32 f32) (result i32) (i32x4.all_true (f32x4.eq
//   (f32x4.relaxed_madd (splat 0) (splat 1) (splat 2)) (splat 3))))
const relaxedModule = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 17, 2, 96, 4, 127, 127, 127, 127, 1, 127, 96, 4, 125, 125, 125, 125, 1, 127, 3, 3, 2,
  0, 1, 7, 14, 2, 3, 100, 111, 116, 0, 0, 4, 109, 97, 100, 100, 0, 1, 10, 55, 2, 26, 0, 32, 0, 253, 17, 32, 1, 253, 17,
  32, 2, 253, 17, 253, 147, 2, 32, 3, 253, 17, 253, 55, 253, 163, 1, 11, 26, 0, 32, 0, 253, 19, 32, 1, 253, 19, 32, 2,
  253, 19, 253, 133, 2, 32, 3, 253, 19, 253, 65, 253, 163, 1, 11,
];

export function probeFeatures(): Features {
  const threadsInNode = nodeModule('node:worker_threads') !== undefined;
  const known = (module: number[]) => typeof WebAssembly === 'object' && WebAssembly.validate(new Uint8Array(module));
  return {
    engine: known(simdModule) && known(exceptionsModule),
    relaxed: known(relaxedModule) && (relaxedIsRight() || 'wrong'),
    workers: typeof Worker === 'function',
    sharedMemory: threadsInNode || (typeof Worker === 'function' && globalThis.crossOriginIsolated === true),
    ...(oneThread && { oneThread }),
    cores: nodeModule('node:os')?.availableParallelism() ?? navigator.hardwareConcurrency ?? 1,
    page: typeof document === 'object',
  };
}

/** Runs relaxed SIMD: an engine may accept it and compute it wrongly, as Node 20 does when a flag allows it. */
function relaxedIsRight(): boolean {
  interface Probe {
    dot(w: number, x: number, sum: number, expected: number): number;
    madd(a: number, b: number, c: number, expected: number): number;
  }
  try {
    const module = new WebAssembly.Module(new Uint8Array(relaxedModule));
    const { dot, madd } = new WebAssembly.Instance(module).exports as unknown as Probe;
    // Four signed bytes times four of 7 bits; numbers for which the specification permits one result alone.
    const w = new Int32Array(new Int8Array([-127, 127, -1, 100]).buffer)[0] as number;
    const x = new Int32Array(new Int8Array([127, 126, 3, 90]).buffer)[0] as number;
    return dot(w, x, 40, -127 * 127 + 127 * 126 - 3 + 9000 + 40) === 1 && madd(3, 5, 7, 22) === 1;
  } catch {
    return false; // a policy that forbids WebAssembly, which the engine itself will name
  }
}

/** Throws E_WASM or E_WORKER for what is not to be had, E_INVALID_ARGUMENT for what is no wish. */
export function choosePlatform(features: Features, wishes: Wishes = {}): Choice {
  const { build = 'auto', threads = features.page ? 'auto' : 1, worker = features.workers && features.page } = wishes;
  if (threads !== 'auto' && (!Number.isInteger(threads) || threads < 1 || threads > mostThreads)) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `threads must be 'auto' or from 1 to ${mostThreads}, not ${show(threads)}`);
  }
  if (typeof worker !== 'boolean') {
    throw new HeadlightError('E_INVALID_ARGUMENT', `worker must be true or false, not ${show(worker)}`);
  }
  if (!['auto', 'relaxed', 'simd128'].includes(build)) {
    throw new HeadlightError('E_INVALID_ARGUMENT', `build must be 'auto', 'relaxed' or 'simd128', not ${show(build)}`);
  }
  if (!features.engine) {
    throw new HeadlightError('E_WASM', 'This engine lacks WebAssembly with 128-bit SIMD and exceptions: it is too old');
  }
  if (worker && !features.workers) {
    throw new HeadlightError('E_WORKER', 'There are no web workers here: pass worker: false');
  }
  const lack = features.relaxed === 'wrong' ? 'this engine computes relaxed SIMD wrongly' : 'this engine has no relaxed SIMD';
  if (build === 'relaxed' && features.relaxed !== true) {
    throw new HeadlightError('E_WASM', `The build 'relaxed' cannot run: ${lack}`);
  }
  const chosen = build !== 'auto' ? build : features.relaxed === true ? 'relaxed' : 'simd128';
  const passedOver = chosen === 'relaxed' ? '' : build === 'simd128' ? 'as asked for' : `for ${lack}`;
  return { build: chosen, ...chooseThreads(features, threads), worker, passedOver };
}

function chooseThreads({ sharedMemory, oneThread, cores }: Features, asked: 'auto' | number): Pick<Choice, 'threads' | 'threadsLack'> {
  const wanted = asked === 'auto' ? Math.min(cores, mostAutomaticThreads) : asked;
  if (wanted === 1) return { threads: 1, threadsLack: asked === 1 ? '' : 'for there is one core' };
  const instead = asked === 'auto' ? '' : `rather than the ${asked} asked for, `;
  if (oneThread) return { threads: 1, threadsLack: `${instead}for ${oneThread}` };
  if (!sharedMemory) return { threads: 1, threadsLack: `${instead}for the page is not cross-origin isolated` };
  const threads = Math.min(wanted, cores);
  const threadsLack = threads < wanted ? `${instead}for there ${cores === 1 ? 'is one core' : `are ${cores} cores`}` : '';
  return { threads, threadsLack };
}

/** As many as the engine takes. */
const mostThreads = 64;
/** More than four bring little for the texts that one model reads, and take the page's own. */
const mostAutomaticThreads = 4;

const buildNames = { relaxed: 'relaxed SIMD', simd128: '128-bit SIMD', scalar: 'plain kernels' };

/** What runs after the builds that failed were passed over, and why. */
export function describePlatform(choice: Choice, { build, threads, passedOver }: StartedBuild): Platform {
  const { worker } = choice;
  const why = [...(choice.passedOver ? [choice.passedOver] : []), ...passedOver.map((fault) => `for ${fault}`)];
  const place = worker ? 'in a worker' : 'on the calling thread';
  const count = threads === 1 ? 'one thread' : `${threads} threads`;
  const lack = choice.threadsLack || (threads < choice.threads ? `rather than ${choice.threads}` : '');
  return {
    build,
    threads,
    worker,
    reason: `${[buildNames[build], ...why].join(', ')}; ${place}; ${[count, ...(lack ? [lack] : [])].join(', ')}`,
  };
}
