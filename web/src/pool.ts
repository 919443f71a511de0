// The workers in which the engine's further threads run: web workers, or worker threads in Node.

import { describe } from './errors.js';
import { startThreadsWorker, threadsWorkerUrl } from './files.js';
import { nodeModule } from './node.js';
import { startTrusted, trustedScriptUrl } from './trusted.js';

/** As Emscripten uses a web worker. */
interface EngineWorker {
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

export class WorkerPool {
  readonly #workers: EngineWorker[] = [];
  readonly #script: string | URL | undefined;
  readonly #failed: (error: Error) => void;

  /** script: address of threads-worker.js where it does not lie beside this module. failed: what a worker that does not run calls. */
  constructor(script: string | URL | undefined, failed: (error: Error) => void) {
    this.#script = script;
    this.#failed = failed;
  }

  /** Emscripten asks for its workers here. */
  readonly start = (): EngineWorker => {
    const { Worker: NodeWorker } = nodeModule('node:worker_threads') ?? {};
    const worker = NodeWorker ? this.#startInNode(NodeWorker) : this.#startOnPage();
    this.#workers.push(worker);
    return worker;
  };

  end(): void {
    for (const worker of this.#workers.splice(0)) worker.terminate();
  }

  #startOnPage(): EngineWorker {
    const name = 'em-pthread';
    const worker = this.#script ? new Worker(trustedScriptUrl(this.#script), { type: 'module', name }) : startTrusted(startThreadsWorker);
    const facade = this.#facade(
      (message) => worker.postMessage(message),
      () => worker.terminate(),
    );
    worker.onmessage = ({ data }) => facade.onmessage?.({ data });
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failed(new Error(event.message || 'the script of its threads was not found, or a policy forbids it'));
    };
    return facade;
  }

  #startInNode(NodeWorker: typeof import('node:worker_threads').Worker): EngineWorker {
    const script = new URL(this.#script ?? threadsWorkerUrl());
    // Not the process's own options: those for a program on the command line would end the worker.
    const worker = new NodeWorker(script, { execArgv: [] });
    const facade = this.#facade(
      (message) => worker.postMessage(message),
      () => void worker.terminate(),
    );
    worker.on('message', (data) => {
      // It has begun: from here on it keeps no process alive.
      worker.unref();
      facade.onmessage?.({ data });
    });
    worker.on('error', (error) => this.#failed(new Error(describe(error))));
    return facade;
  }

  #facade(postMessage: (message: unknown) => void, terminate: () => void): EngineWorker {
    return { onmessage: null, onerror: null, postMessage, terminate };
  }
}
