// The files that lie beside the library: the workers' scripts and the builds of the engine. Bundlers look for these
// expressions as they stand. bert-headlight/inline is built with inline-files.ts in place of this module.

import type { EngineFile } from './build-names.js';

/** What a worker is told to run where its own addresses do not serve. */
export const enginesOfWorker: Partial<Record<EngineFile, string>> | undefined = undefined;

/** Why there is one thread whatever the platform allows; empty: there are builds with threads. */
export const oneThread: string = '';

export const workerUrl = (): string | URL => new URL('./worker.js', import.meta.url);
export const startWorker = (): Worker => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

export const threadsWorkerUrl = (): URL => new URL('./threads-worker.js', import.meta.url);
/** Emscripten's glue begins by itself in a worker of this name. */
export const startThreadsWorker = (): Worker =>
  new Worker(new URL('./threads-worker.js', import.meta.url), { type: 'module', name: 'em-pthread' });

/** Addresses of the builds; null where there is no such build. */
export const engineUrl: Record<EngineFile, () => string | URL | null> = {
  relaxed: () => new URL('./headlight-relaxed.wasm', import.meta.url),
  simd128: () => new URL('./headlight.wasm', import.meta.url),
  'relaxed-threads': () => new URL('./headlight-relaxed-threads.wasm', import.meta.url),
  'simd128-threads': () => new URL('./headlight-threads.wasm', import.meta.url),
};
