// What a task and a view are. Each is the default export of one file in tasks/ or views/; the build finds them, so
// adding one touches nothing else.

import type { TemplateResult } from 'lit';
import type { AttentionMaps, Light } from '../src/elements/index.js';
import type { AttendedToken, AttentionResult, Model, ModelInfo } from '../src/types.js';
import type { State } from './state.js';
import type { Strings } from './strings/index.js';
import allTasks from 'folder:./tasks';
import allViews from 'folder:./views';

export interface Example {
  name: string;
  text: string;
}

export interface Task {
  id: string;
  /** Place among the tasks. */
  order: number;
  /** The folder of its demo model, against the page's address. */
  model: string;
  examples: readonly Example[];
  fits(info: ModelInfo): boolean;
  run(model: Model, text: string, signal: AbortSignal): Promise<TaskResult>;
  /** The answer, in a place that keeps its height. */
  render(result: TaskResult, strings: Strings): TemplateResult;
}

export interface TaskResult {
  /** Of all layers, heads and tokens. */
  attention: AttentionResult;
  /** Labels by falling score; empty where the model has none. */
  labels: readonly { label: string; score: number }[];
}

/** A text that was read, and all that is derived from it once. */
export interface Reading extends TaskResult {
  text: string;
  maps: AttentionMaps;
  /** Words, or pieces, and special tokens in order. */
  units: Units;
  milliseconds: number | null;
}

export interface Units {
  entries: readonly AttendedToken[];
  /** Token indices of each entry. */
  groups: readonly (readonly number[])[];
  /** Whether an entry is part of the text rather than a special token. */
  lit: readonly boolean[];
}

/** What a view is given. */
export interface Context {
  reading: Reading;
  state: State;
  strings: Strings;
  /** The layer and head to show now: those under the pointer, or those chosen. */
  shown: Pick<State, 'layer' | 'head'>;
  /** Index of the entry that looks. */
  query: number;
  stale: boolean;
  narrow: boolean;
  /** The light of the entries for the layer and head shown. */
  light: Light;
  set(change: Partial<State>): void;
  preview(shown: Pick<State, 'layer' | 'head'> | null): void;
}

export interface View {
  id: string;
  order: number;
  /** 'main' beside 'side'; those 'below' share the width and are chosen by a tab. */
  place: 'main' | 'side' | 'below';
  title(strings: Strings, state: State): string;
  render(context: Context): TemplateResult;
}

const byOrder = <T extends { order: number }>(entries: readonly unknown[]): T[] =>
  (entries as T[]).toSorted((a, b) => a.order - b.order);

export const tasks = byOrder<Task>(allTasks);
export const views = byOrder<View>(allViews);
