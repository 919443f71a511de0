// The worker's script: an engine that listens to messages.

import { HeadlightError } from './errors.js';
import { LocalEngine } from './local-engine.js';
import { write } from './opfs.js';
import type { FromWorker, ToWorker, WorkerStart } from './protocol.js';

interface Scope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;
const runs = new Map<number, AbortController>();
let engine: LocalEngine | undefined;

scope.onmessage = ({ data: message }) => {
  if (message.kind === 'abort') {
    runs.get(message.id)?.abort();
    return;
  }
  const { id } = message;
  perform(message).then(
    (value) => scope.postMessage({ kind: 'result', id, value }, buffers(value)),
    (error: unknown) => scope.postMessage({ kind: 'error', id, error: HeadlightError.report(error) }),
  );
};

async function perform(message: Exclude<ToWorker, { kind: 'abort' }>): Promise<unknown> {
  if (message.kind === 'start') {
    engine = await LocalEngine.start(message.options);
    return { started: engine.started, isLocked: await holdLock(message.lockName) } satisfies WorkerStart;
  }
  if (message.kind === 'write') return write(message.name, message.bytes);
  if (!engine) throw new HeadlightError('E_INTERNAL', 'The worker was not started');
  if (message.kind === 'call') {
    const call = engine[message.operation] as (...args: unknown[]) => Promise<unknown>;
    return call.apply(engine, message.args);
  }
  const { id, request, progress } = message;
  const controller = new AbortController();
  runs.set(id, controller);
  try {
    return await engine.run(request, {
      signal: controller.signal,
      onProgress: progress ? ({ fraction }) => scope.postMessage({ kind: 'progress', id, fraction }) : undefined,
    });
  } finally {
    runs.delete(id);
  }
}

/** Takes a lock for as long as the worker is there; false where there are no locks. */
function holdLock(name: string): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return Promise.resolve(false);
  return new Promise((resolve) => {
    const hold = () => new Promise<never>(() => resolve(true));
    locks.request(name, hold).catch(() => resolve(false));
  });
}

/** The buffers of all tensors in a result, which are handed over rather than copied. */
function buffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Float32Array) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffers) : [];
}
