// In place of files.ts for bert-headlight/inline: the worker's script and the builds without threads are in the bundle.

import { engines, workerScript } from 'headlight-inline';
import type { EngineFile } from './build-names.js';

/** The worker's script holds no engine of its own. */
export const enginesOfWorker: Partial<Record<EngineFile, string>> | undefined = engines;

export const oneThread = 'bert-headlight/inline has one thread';

let script: string | undefined;

/** A policy must allow worker-src blob: for it. */
export const workerUrl = (): string =>
  (script ??= URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript' })));
export const startWorker = (): Worker => new Worker(workerUrl());

/** Never asked for: there are no builds with threads. */
export const threadsWorkerUrl = (): string => '';
export const startThreadsWorker = startWorker;

export const engineUrl: Record<EngineFile, () => string | null> = {
  relaxed: () => engines.relaxed ?? null,
  simd128: () => engines.simd128 ?? null,
  'relaxed-threads': () => null,
  'simd128-threads': () => null,
};
