// Runs of one engine by turns, a step each, with a breath for the event loop before every step.

import { HeadlightError } from './errors.js';
import { yieldToEventLoop } from './event-loop.js';
import type { RunHooks } from './engine.js';

/** A run as the scheduler sees it. */
export interface Job<Result> extends RunHooks {
  /** Opens the run; gives its work in multiply-adds. */
  begin(): number;
  /** Does about `work` of it; false when all is done. */
  step(work: number): boolean;
  /** From 0 to 1. */
  progress(): number;
  result(): Result;
  /** Frees the run, if it was opened. */
  end(): void;
}

/** An open run holds activations: the others wait. */
const mostOpenRuns = 4;
const stepMilliseconds = 8;
const firstRate = 1e6;

interface Entry {
  job: Job<unknown>;
  work: number;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

export class Scheduler {
  readonly #waiting: Entry[] = [];
  readonly #open: Entry[] = [];
  #driving = false;
  #disposed = false;
  /** Multiply-adds a millisecond, as measured. */
  #rate = firstRate;

  run<Result>(job: Job<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ job, work: 0, resolve: resolve as (result: unknown) => void, reject });
      if (!this.#driving) void this.#drive();
    });
  }

  /** Every run that is not done rejects with E_DISPOSED. */
  dispose(): void {
    this.#disposed = true;
    for (const entry of [...this.#open.splice(0), ...this.#waiting.splice(0)]) this.#turn(entry);
  }

  async #drive(): Promise<void> {
    this.#driving = true;
    for (;;) {
      await yieldToEventLoop();
      const entry = this.#next();
      if (!entry) break;
      this.#turn(entry);
    }
    this.#driving = false;
  }

  #next(): Entry | undefined {
    if (this.#open.length < mostOpenRuns) {
      const entry = this.#waiting.shift();
      if (entry) return entry;
    }
    return this.#open.shift();
  }

  #turn(entry: Entry): void {
    const { job } = entry;
    try {
      if (this.#disposed) throw new HeadlightError('E_DISPOSED', 'The model was disposed of during the call');
      job.signal?.throwIfAborted();
      if (entry.work === 0) entry.work = Math.max(1, job.begin());
      const more = this.#step(entry);
      job.onProgress?.({ fraction: job.progress() });
      if (more) {
        this.#open.push(entry);
        return;
      }
      entry.resolve(job.result());
    } catch (error) {
      entry.reject(error);
    }
    job.end();
  }

  /** A step of about the wanted time, from which the next one's size is learnt. */
  #step({ job, work }: Entry): boolean {
    const workBefore = job.progress() * work;
    const start = performance.now();
    const more = job.step(Math.ceil(this.#rate * stepMilliseconds));
    const milliseconds = Math.max(0.5, performance.now() - start);
    const measured = (job.progress() * work - workBefore) / milliseconds;
    // Small steps say little, for clocks in browsers are coarse.
    if (more || milliseconds > stepMilliseconds / 2) this.#rate = Math.max(firstRate, (this.#rate + measured) / 2);
    return more;
  }
}
