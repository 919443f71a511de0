// Messages between worker-client.ts and worker.ts.

import type { BuildOptions } from './builds.js';
import type { ErrorReport } from './errors.js';
import type { Engine, RunRequest } from './engine.js';

type Methods = Omit<Engine, 'run' | 'dispose' | 'started'>;
export type Operation = keyof Methods;

export type ToWorker =
  | { kind: 'start'; id: number; options: BuildOptions }
  | { kind: 'call'; id: number; operation: Operation; args: unknown[] }
  | { kind: 'run'; id: number; request: RunRequest; progress: boolean }
  | { kind: 'write'; id: number; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'abort'; id: number };

export type FromWorker =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: ErrorReport }
  | { kind: 'progress'; id: number; fraction: number };
