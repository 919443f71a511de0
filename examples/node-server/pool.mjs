// Threads that classify, so that the server's own thread stays free.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export class Pool {
  #threads = [];
  #pending = new Map();
  #lastId = 0;

  /** Resolves when every thread has loaded the model. */
  static async start(model, size) {
    const pool = new Pool();
    for (let i = 0; i < size; i++) {
      const worker = new Worker(new URL('./classifier.mjs', import.meta.url), { workerData: { model } });
      pool.#threads.push({ worker, running: 0 });
    }
    await Promise.all(pool.#threads.map(({ worker }) => once(worker, 'message')));
    for (const { worker } of pool.#threads) worker.on('message', (message) => pool.#receive(message));
    return pool;
  }

  /** Calls that each thread has in hand. */
  get running() {
    return this.#threads.map(({ running }) => running);
  }

  classify(text) {
    const thread = this.#threads.reduce((least, other) => (other.running < least.running ? other : least));
    thread.running++;
    const id = ++this.#lastId;
    thread.worker.postMessage({ id, text });
    return new Promise((resolve, reject) => this.#pending.set(id, { thread, resolve, reject }));
  }

  #receive({ id, result, error }) {
    const { thread, resolve, reject } = this.#pending.get(id);
    this.#pending.delete(id);
    thread.running--;
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  }
}
