// The model and the runs of one page: what is loading, what was read last. Newer work ends older work.

import { HeadlightError, load } from '../src/index.js';
import type { Model, ModelInfo, Platform } from '../src/types.js';
import { tasks, type Task, type TaskResult } from './registry.js';
import { wholeAttention } from './whole-attention.js';

/** What went wrong, in parts that the page can show. */
export interface Failure {
  message: string;
  /** 'model.safetensors, byte 17'; empty where there is none. */
  place: { file?: string; tensor?: string; offset?: number };
  /** Empty where nobody knows. */
  advice: string;
}

export type ModelState =
  | { phase: 'loading'; loaded: number; total: number | null }
  | { phase: 'stopped'; loaded: number }
  | { phase: 'failed'; failure: Failure }
  | { phase: 'ready'; info: ModelInfo; platform: Platform; loaded: number };

export interface Read extends TaskResult {
  text: string;
  milliseconds: number;
}

/** A moment to type on before a run begins. */
const PAUSE = 60;

const failureOf = (error: unknown): Failure => {
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
  /** The task that fits the model; null: only its attention is shown. */
  task: Task | null = null;

  private loaded: Model | null = null;
  private loading: AbortController | null = null;
  private running: AbortController | null = null;
  private source: string | readonly File[] = '';
  private waiting: string | null = null;

  /**
   * @param changed something above is other than before
   * @param read    a text was read
   */
  constructor(
    private readonly changed: () => void,
    private readonly read: (read: Read) => void,
  ) {}

  /** Loads a model in place of the one there is; the last text is read when it is here. */
  async open(source: string | readonly File[]): Promise<void> {
    this.source = source;
    this.loading?.abort();
    this.running?.abort();
    this.loaded?.dispose();
    this.loaded = null;
    this.failure = null;
    const { signal } = (this.loading = new AbortController());
    this.show({ phase: 'loading', loaded: 0, total: null });
    try {
      const model = await load(source, {
        signal,
        onProgress: ({ loaded, total }) => {
          if (!signal.aborted) this.show({ phase: 'loading', loaded, total });
        },
      });
      if (signal.aborted) return model.dispose();
      this.loaded = model;
      this.task = tasks.find((task) => task.fits(model.info)) ?? null;
      const loaded = this.model.phase === 'loading' ? this.model.loaded : 0;
      this.show({ phase: 'ready', info: model.info, platform: model.platform, loaded });
      if (this.waiting !== null) this.submit(this.waiting);
    } catch (error) {
      if (!signal.aborted) this.show({ phase: 'failed', failure: failureOf(error) });
    }
  }

  /** Ends loading. */
  stop(): void {
    if (this.model.phase !== 'loading') return;
    this.loading?.abort();
    this.show({ phase: 'stopped', loaded: this.model.loaded });
  }

  retry(): void {
    void this.open(this.source);
  }

  /** Reads a text; an older run ends. Before the model is here, the last text waits. */
  submit(text: string): void {
    this.running?.abort();
    this.waiting = text;
    this.failure = null;
    this.busy = text.trim() !== '';
    if (this.loaded && this.busy) {
      const { signal } = (this.running = new AbortController());
      void this.run(this.loaded, text, signal);
    }
    this.changed();
  }

  private async run(model: Model, text: string, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    const start = performance.now();
    try {
      const result = await (this.task?.run(model, text, signal) ?? attentionAlone(model, text, signal));
      if (signal.aborted) return;
      this.busy = false;
      this.read({ ...result, text, milliseconds: performance.now() - start });
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

const attentionAlone = async (model: Model, text: string, signal: AbortSignal): Promise<TaskResult> => ({
  attention: await wholeAttention(model, text, signal),
  labels: [],
});
