// What views ask the model beside what was read: each question once a reading, answered when it is there.

import { failureOf, type Failure } from './session.js';
import type { Model, RunProgress } from '../src/types.js';

export interface Extra<Value> {
  /** null: not yet, or it failed. Of a text that is read again, the answer of before until the next is there. */
  value: Value | null;
  failure: Failure | null;
  /** 0 to 1; changes without the page being drawn anew. 1: `value` is of this reading. */
  done: number;
}

export type Ask = <Value>(key: string, run: (model: Model, hooks: ExtraHooks) => Promise<Value>) => Extra<Value>;

export interface ExtraHooks {
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export class Extras {
  /** Another one after each answer. */
  version = 0;
  private known = new Map<string, Extra<unknown>>();
  /** Of the same text before it was read again. */
  private before: ReadonlyMap<string, Extra<unknown>> = new Map();
  private running = new AbortController();

  /**
   * @param model   null: nothing is asked now; what is wanted still is asked when it is drawn again
   * @param changed there is an answer
   */
  constructor(
    private readonly model: () => Model | null,
    private readonly changed: () => void,
  ) {}

  /** Ends what is asked and not answered yet. */
  halt(): void {
    this.running.abort();
    this.running = new AbortController();
    for (const [key, { failure, done }] of this.known) if (done < 1 && failure === null) this.known.delete(key);
    this.version++;
  }

  /**
   * @param same  the same text is read again
   * @param known answers that are there already, by their keys
   */
  clear({ same = false, known = {} }: { same?: boolean; known?: Readonly<Record<string, unknown>> } = {}): void {
    this.halt();
    this.before = same ? this.known : new Map();
    this.known = new Map(Object.entries(known).map(([key, value]) => [key, { value, failure: null, done: 1 }]));
  }

  readonly ask: Ask = <Value>(key: string, run: (model: Model, hooks: ExtraHooks) => Promise<Value>) => {
    const known = this.known.get(key) as Extra<Value> | undefined;
    if (known) return known;
    const model = this.model();
    const value = (this.before.get(key)?.value ?? null) as Value | null;
    const extra: Extra<Value> = { value, failure: null, done: 0 };
    if (!model) return extra;
    this.known.set(key, extra);
    const { signal } = this.running;
    const answer = (change: Partial<Extra<Value>>) => {
      if (signal.aborted) return;
      Object.assign(extra, change);
      this.version++;
      this.changed();
    };
    run(model, { signal, onProgress: ({ fraction }) => (extra.done = fraction) }).then(
      (value) => answer({ value, done: 1 }),
      (error: unknown) => answer({ value: null, failure: failureOf(error) }),
    );
    return extra;
  };
}
