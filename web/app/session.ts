// The model and the runs of one page: what is loading, what was read last. Newer work ends older work.

import type { HeadPlace } from '../src/elements/index.js';
import { HeadlightError, cachedFiles, clearCache } from '../src/index.js';
import type { Model, ModelInfo, Platform, Retry } from '../src/types.js';
import { withoutHeads } from './heads-off.js';
import { loadModel, type Source } from './loading.js';
import { tellThreads } from './offline.js';
import { isFilled, tasks, type Fields, type Task, type TaskResult } from './registry.js';

/** What went wrong, in parts that the page can show. */
export interface Failure {
  message: string;
  /** 'model.safetensors, byte 17'; empty where there is none. */
  place: { file?: string; tensor?: string; offset?: number };
  /** Empty where nobody knows. */
  advice: string;
}

export type ModelState =
  | { phase: 'loading'; loaded: number; total: number | null; retry?: Retry | undefined }
  | { phase: 'stopped'; loaded: number }
  | { phase: 'failed'; failure: Failure }
  | { phase: 'ready'; info: ModelInfo; platform: Platform; loaded: number };

export interface Read {
  task: Task;
  fields: Fields;
  result: TaskResult;
  milliseconds: number;
}

/** A moment to type on before a run begins. */
const PAUSE = 60;

export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof HeadlightError)) return { message: String(error), place: {}, advice: '' };
  const { message, advice, file, tensor, offset } = error;
  return { message, advice, place: { file, tensor, offset } };
};

export class Session {
  model: ModelState = { phase: 'loading', loaded: 0, total: null };
  /** Of the last run, or null. */
  failure: Failure | null = null;
  /** A run is under way, or waits for the model. */
  busy = false;
  /** The tasks that fit the model; the last model's until the next is here. */
  fitting: readonly Task[] = [];
  /** The one of them that is chosen. */
  task: Task;
  /** Bytes of models that this device keeps. */
  stored = 0;
  /** For calls of its own; null before it is here. */
  loaded: Model | null = null;

  private loading: AbortController | null = null;
  private running: AbortController | null = null;
  private source: Source = '';

  /**
   * @param task    the one to show before a model is here
   * @param changed something above is other than before
   * @param opened  a model is here, and a task chosen
   * @param read    a text was read
   * @param off     heads that every call leaves out
   */
  constructor(
    task: Task,
    private readonly changed: () => void,
    private readonly opened: () => void,
    private readonly read: (read: Read) => void,
    private readonly off: () => readonly HeadPlace[],
  ) {
    this.task = task;
  }

  /** The model without the heads that are off. */
  get asked(): Model | null {
    return this.loaded && withoutHeads(this.loaded, this.off());
  }

  get info(): ModelInfo | null {
    return this.model.phase === 'ready' ? this.model.info : null;
  }

  /** Loads a model in place of the one there is. `prefer`: id of the task to choose where it fits. */
  async open(source: Source, prefer: string): Promise<void> {
    this.source = source;
    this.loading?.abort();
    this.running?.abort();
    this.loaded?.dispose();
    this.loaded = null;
    this.failure = null;
    const { signal } = (this.loading = new AbortController());
    this.show({ phase: 'loading', loaded: 0, total: null });
    try {
      const model = await loadModel(source, {
        signal,
        onProgress: ({ loaded, total, retry }) => {
          if (!signal.aborted) this.show({ phase: 'loading', loaded, total, retry });
        },
      });
      if (signal.aborted) return model.dispose();
      this.loaded = model;
      tellThreads(model.platform);
      this.fitting = tasks.filter((task) => task.fits(model.info));
      this.task = this.fitting.find(({ id }) => id === prefer) ?? this.fitting[0]!;
      const loaded = this.model.phase === 'loading' ? this.model.loaded : 0;
      this.model = { phase: 'ready', info: model.info, platform: model.platform, loaded };
      this.opened();
    } catch (error) {
      if (!signal.aborted) this.show({ phase: 'failed', failure: failureOf(error) });
    }
    await this.countStored();
  }

  /** Removes the models that this device keeps; the one at work stays. */
  async clearStored(): Promise<void> {
    await clearCache().catch(() => {});
    await this.countStored();
  }

  private async countStored(): Promise<void> {
    const files = await cachedFiles().catch(() => []);
    this.stored = files.reduce((sum, { bytes, inMemory }) => sum + (inMemory ? 0 : bytes), 0);
    this.changed();
  }

  /** Ends loading. */
  stop(): void {
    if (this.model.phase !== 'loading') return;
    this.loading?.abort();
    this.show({ phase: 'stopped', loaded: this.model.loaded });
  }

  retry(): void {
    void this.open(this.source, this.task.id);
  }

  /** Reads what is typed, without the heads that are off; an older run ends. Before the model is here, it waits. */
  submit(fields: Fields): void {
    this.running?.abort();
    this.failure = null;
    this.busy = isFilled(this.task, this.info, fields);
    const { asked } = this;
    if (asked && this.busy) {
      const { signal } = (this.running = new AbortController());
      void this.run(asked, this.task, fields, signal);
    }
    this.changed();
  }

  private async run(model: Model, task: Task, fields: Fields, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    const start = performance.now();
    try {
      const result = await task.run(model, fields, signal);
      if (signal.aborted) return;
      this.busy = false;
      this.read({ task, fields, result, milliseconds: performance.now() - start });
    } catch (error) {
      if (signal.aborted) return;
      this.busy = false;
      this.failure = failureOf(error);
    }
    this.changed();
  }

  private show(model: ModelState): void {
    this.model = model;
    this.changed();
  }
}
