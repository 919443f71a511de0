import { HeadlightError, describe } from './errors.js';
import { enginesOfWorker, startWorker, workerUrl as ownWorkerUrl } from './files.js';
import { refusedPolicy, startTrusted, trustedScriptUrl } from './trusted.js';
import type { Engine, EngineInfo, RunHooks, RunRequest, WeightFiles } from './engine.js';
import type { WasmUrl } from './build-names.js';
import type { BuildOptions, StartedBuild } from './builds.js';
import type { FromWorker, Operation, ToWorker, WorkerStart } from './protocol.js';
import type { RunProgress } from './types.js';

interface Pending {
  resolve(value: never): void;
  reject(reason: unknown): void;
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** The engine in a module worker. */
export class WorkerEngine implements Engine {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why there is no engine any more. */
  #ended: HeadlightError | null = null;
  readonly #watch = new AbortController();

  #started: StartedBuild | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
  }

  static async start(options: BuildOptions, workerUrl?: string | URL): Promise<WorkerEngine> {
    const address = String(workerUrl ?? ownWorkerUrl());
    const failure = (why: string, cause?: unknown) =>
      new HeadlightError('E_WORKER', `The worker ${address} does not start: ${why}`, { file: address }, { cause });
    let worker: Worker;
    try {
      worker = workerUrl ? new Worker(trustedScriptUrl(workerUrl), { type: 'module' }) : startTrusted(startWorker);
    } catch (error) {
      throw failure((error instanceof TypeError && refusedPolicy()) || describe(error), error);
    }
    const engine = new WorkerEngine(worker);
    const policy = watchPolicy();
    worker.onerror = (event) => {
      event.preventDefault();
      engine.#end(failure(policy.violated() ?? event.message ?? 'its script was not found or is no module'));
    };
    try {
      const lockName = `headlight-worker-${Math.random()}`;
      const request: ToWorker = { kind: 'start', id: 0, options: withAbsoluteUrls(options), lockName };
      const { started, isLocked } = await engine.#request<WorkerStart>(request);
      engine.#started = started;
      if (isLocked && 'locks' in navigator) engine.#watchLock(lockName);
    } catch (error) {
      engine.dispose();
      throw error;
    } finally {
      policy.stop();
    }
    worker.onerror = (event) => {
      event.preventDefault();
      engine.#end(new HeadlightError('E_INTERNAL', `The worker failed: ${event.message}`));
    };
    return engine;
  }

  get started(): StartedBuild {
    return this.#started as StartedBuild;
  }

  createLoader(options: { precision: string }): Promise<void> {
    return this.#call('createLoader', [options]);
  }

  addFile(name: string, bytes: Uint8Array): Promise<void> {
    return this.#call('addFile', [name, bytes]);
  }

  weightFiles(listing: string[] | null, missing: string[]): Promise<WeightFiles> {
    return this.#call('weightFiles', [listing, missing]);
  }

  beginWeights(name: string, size: number | null): Promise<void> {
    return this.#call('beginWeights', [name, size]);
  }

  feedWeights(bytes: Uint8Array): Promise<void> {
    const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
    const own = whole ? bytes : bytes.slice();
    return this.#call('feedWeights', [own], [own.buffer as ArrayBuffer]);
  }

  endWeights(): Promise<void> {
    return this.#call('endWeights', []);
  }

  finishModel(): Promise<EngineInfo> {
    return this.#call('finishModel', []);
  }

  createTokenizer(): Promise<void> {
    return this.#call('createTokenizer', []);
  }

  query(method: string, params: object): Promise<unknown> {
    return this.#call('query', [method, params]);
  }

  async run(request: RunRequest, { signal, onProgress }: RunHooks): Promise<unknown[]> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const abort = () => {
      this.#worker.postMessage({ kind: 'abort', id } satisfies ToWorker);
      this.#settle(id)?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    try {
      return await this.#request({ kind: 'run', id, request, progress: onProgress !== undefined }, [], onProgress);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The lock is this page's as soon as the worker is no more: no event tells of a worker that was ended. */
  #watchLock(name: string): void {
    const ended = () =>
      this.#end(
        new HeadlightError('E_WORKER', 'The worker of the model was ended, by the browser or a script', {}, {
          advice: "Load the model again. If it ends again, use a smaller model or precision 'int8'.",
        }),
      );
    navigator.locks.request(name, { signal: this.#watch.signal }, ended).catch(() => {});
  }

  dispose(): void {
    this.#end(new HeadlightError('E_DISPOSED', 'The model was disposed of'));
  }

  #call<Value>(operation: Operation, args: unknown[], transfer: Transferable[] = []): Promise<Value> {
    return this.#request({ kind: 'call', id: ++this.#lastId, operation, args }, transfer);
  }

  #request<Value>(
    message: ToWorker,
    transfer: Transferable[] = [],
    onProgress?: (progress: RunProgress) => void,
  ): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      this.#worker.postMessage(message, transfer);
      this.#pending.set(message.id, { resolve, reject, onProgress });
    });
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'progress') {
      this.#pending.get(message.id)?.onProgress?.({ fraction: message.fraction });
      return;
    }
    const pending = this.#settle(message.id);
    if (message.kind === 'result') pending?.resolve(message.value as never);
    else pending?.reject(HeadlightError.from(message.error));
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(error: HeadlightError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#watch.abort();
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** The worker would read a relative address against its own. */
function withAbsoluteUrls({ wasmUrl, threadsWorkerUrl, ...options }: BuildOptions): BuildOptions {
  return {
    ...options,
    wasmUrl: wasmUrl ? absoluteUrls(wasmUrl) : enginesOfWorker,
    threadsWorkerUrl: threadsWorkerUrl && absolute(threadsWorkerUrl),
  };
}

function absoluteUrls(given: WasmUrl): WasmUrl {
  if (typeof given === 'string' || given instanceof URL) return absolute(given);
  return Object.fromEntries(Object.entries(given).map(([build, url]) => [build, absolute(url)]));
}

function absolute(url: string | URL): string {
  return new URL(url, typeof document === 'undefined' ? location.href : document.baseURI).href;
}

/** Listens for a Content-Security-Policy that forbids the worker: its error event does not say so. */
function watchPolicy(): { violated(): string | undefined; stop(): void } {
  let directive: string | undefined;
  const listen = (event: SecurityPolicyViolationEvent) => {
    if (/^(worker|child|script|default)-src/.test(event.effectiveDirective)) directive = event.effectiveDirective;
  };
  const target = typeof document === 'undefined' ? undefined : document;
  target?.addEventListener('securitypolicyviolation', listen);
  return {
    violated: () => directive && `the page's Content-Security-Policy forbids it (${directive})`,
    stop: () => target?.removeEventListener('securitypolicyviolation', listen),
  };
}
