// What views ask the model beside what was read: each question once a reading, answered when it is there.

import { failureOf, type Failure } from './session.js';
import type { Model, RunProgress } from '../src/types.js';

export interface Extra<Value> {
  /** null: not yet, or it failed. */
  value: Value | null;
  failure: Failure | null;
  /** 0 to 1. */
  done: number;
}

export type Ask = <Value>(key: string, run: (model: Model, hooks: ExtraHooks) => Promise<Value>) => Extra<Value>;

export interface ExtraHooks {
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export class Extras {
  /** Another one after each change. */
  version = 0;
  private known = new Map<string, Extra<unknown>>();
  private running = new AbortController();

  constructor(
    private readonly model: () => Model | null,
    private readonly changed: () => void,
  ) {}

  /** Another text or model: what was asked of the one before ends. */
  clear(): void {
    this.running.abort();
    this.running = new AbortController();
    this.known = new Map();
    this.version++;
  }

  readonly ask: Ask = <Value>(key: string, run: (model: Model, hooks: ExtraHooks) => Promise<Value>) => {
    const known = this.known.get(key) as Extra<Value> | undefined;
    if (known) return known;
    const model = this.model();
    const extra: Extra<Value> = { value: null, failure: null, done: 0 };
    if (!model) return extra;
    this.known.set(key, extra);
    const { signal } = this.running;
    const tell = (change: Partial<Extra<Value>>) => {
      if (signal.aborted) return;
      Object.assign(extra, change);
      this.version++;
      this.changed();
    };
    run(model, { signal, onProgress: ({ fraction }) => tell({ done: fraction }) }).then(
      (value) => tell({ value, done: 1 }),
      (error: unknown) => tell({ failure: failureOf(error) }),
    );
    return extra;
  };
}
