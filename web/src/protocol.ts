// Messages between worker-client.ts and worker.ts.

import type { BuildOptions, StartedBuild } from './builds.js';
import type { ErrorReport } from './errors.js';
import type { Engine, RunRequest } from './engine.js';

type Methods = Omit<Engine, 'run' | 'dispose' | 'started'>;
export type Operation = keyof Methods;

export type ToWorker =
  | { kind: 'start'; id: number; options: BuildOptions; lockName: string }
  | { kind: 'call'; id: number; operation: Operation; args: unknown[] }
  | { kind: 'run'; id: number; request: RunRequest; progress: boolean }
  | { kind: 'write'; id: number; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'abort'; id: number };

/** What a worker that started replies. */
export interface WorkerStart {
  started: StartedBuild;
  /** It holds the lock until it ends, which tells the page of an end that no event tells of. */
  isLocked: boolean;
}

export type FromWorker =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: ErrorReport }
  | { kind: 'progress'; id: number; fraction: number };
