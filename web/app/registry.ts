// What a task, a view and a demo are. Each is the default export of one file in tasks/, views/ or demos/; the build
// finds them, so adding one touches nothing else.

import type { TemplateResult } from 'lit';
import type { AttentionMaps } from '../src/elements/index.js';
import type { AttendedToken, AttentionResult, Explanation, Model, ModelInfo } from '../src/types.js';
import type { Declined, Method } from './explain.js';
import type { Ask, Extra } from './extras.js';
import type { Lit } from './lit.js';
import { site, type Site } from './site.js';
import type { State } from './state.js';
import type { Language, Strings } from './strings/index.js';
import type { TableTask } from './table/task.js';
import allDemos from 'folder:./demos';
import allTasks from 'folder:./tasks';
import allViews from 'folder:./views';

/** What is typed into the page; '' where nothing is. A task shows those that it reads. */
export interface Fields {
  text: string;
  pair: string;
  labels: string;
}

export const fieldNames = ['text', 'pair', 'labels'] as const;

export interface Field {
  name: keyof Fields;
  label(strings: Strings): string;
  /** Without it, the task reads nothing before the field is filled. */
  optional?: boolean;
  /** One line rather than a text. */
  line?: boolean;
  /** What a button puts where the caret is. */
  insert?: { name(strings: Strings): string; text: string };
}

export interface Example {
  name: string;
  fields: Partial<Fields>;
}

export interface Task<Answer = unknown> {
  id: string;
  /** Place among the tasks; the first that fits a model is chosen. */
  order: number;
  name(strings: Strings): string;
  fits(info: ModelInfo): boolean;
  /** info: null before the model is here. */
  fields(info: ModelInfo | null): readonly Field[];
  /** What is typed as [SEP] and the like: text (default), or the token. */
  specialTokensInText?: 'parse';
  /** For a model of one's own; a demo brings its own. */
  examples: readonly Example[];
  run(model: Model, fields: Fields, signal: AbortSignal): Promise<TaskResult<Answer>>;
  /** A line that is read out when it changes, in a place that keeps its height; answer: null before there is one. */
  verdict(context: AnswerContext<Answer>): TemplateResult;
  /** More than a line; it has its height before the answer is there. */
  details?(context: AnswerContext<Answer>): TemplateResult;
  /** What lights a text at first, where it can be had; default attention. */
  light?: Method;
  /** What one needs to know about the lit text; fields: what was read. */
  hint?(strings: Strings, fields: Fields): string;
  /** How the rows of a table are read; without it they cannot be. */
  table?: TableTask;
}

export interface TaskResult<Answer = unknown> {
  /** What the offsets of the tokens are in. */
  text: string;
  pair: string | null;
  /** Of all layers, heads and tokens. */
  attention: AttentionResult;
  answer: Answer;
  /** Index of the token that looks where nobody chose one; default 0. */
  look?: number;
}

/** What a task's verdict and details are given. */
export interface AnswerContext<Answer = unknown> {
  answer: Answer | null;
  /** Those that were read, or before that those that are typed. */
  fields: Fields;
  strings: Strings;
  /** Index of the token that looks, or null before there are tokens. */
  query: number | null;
  /** Index of the token at a UTF-16 unit of the text, or null. */
  tokenAt(unit: number): number | null;
  look(token: number): void;
  /** Types into fields. */
  write(fields: Partial<Fields>): void;
}

/** A text that was read, and all that is derived from it once. */
export interface Reading extends TaskResult {
  task: Task;
  fields: Fields;
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

/** A lit text that was kept, to stand beside others. */
export interface Kept {
  text: string;
  pair: string | null;
  entries: readonly AttendedToken[];
  lit: Lit;
  about: Readonly<Record<string, string>>;
  /** What the model made of it, where it classifies. */
  verdict: { label: string; score: number } | null;
}

/** What a view is given. */
export interface Context {
  reading: Reading;
  state: State;
  strings: Strings;
  /** Where what is shown comes from, for files. */
  about: Readonly<Record<string, string>>;
  /** Index of the entry that looks. */
  query: number;
  stale: boolean;
  narrow: boolean;
  /** What lights the text: of the head under the pointer, or what is chosen. */
  lit: Lit;
  chosenLit: Lit;
  /** What the chosen light is an explanation of, while it is computed too; null: attention. */
  explanation: Extra<Explanation> | null;
  /** What the text can be lit by, and what is chosen. */
  methods: readonly Method[];
  method: Method;
  /** What would light the text at first, but takes too long; null: nothing. */
  declined: Declined | null;
  /** Whether what lights the text depends on the token that looks. */
  asksToken: boolean;
  /** Labels that the text can be explained for; empty: no choice. */
  targets: readonly string[];
  /** What is explained where there is no choice. */
  targetName: string | null;
  /** Switches a share of the heads off, those that matter least to the answer. */
  switchOffLeast(share: number): void;
  /** To compare with, or null. */
  kept: Kept | null;
  keep(kept: Kept | null): void;
  /** Asks the model for more about what was read. */
  ask: Ask;
  set(change: Partial<State>): void;
  /** Chooses a token that looks, layers or heads: the text is lit by what the method makes of that, or by attention. */
  look(change: Partial<State>): void;
  preview(shown: Pick<State, 'layer' | 'head'> | null): void;
  /** Heads are picked one by one, without a key held. */
  several: boolean;
  pickSeveral(several: boolean): void;
}

export interface View {
  id: string;
  order: number;
  /** 'main' beside 'side'; those 'below' share the width and are chosen by a tab. */
  place: 'main' | 'side' | 'below';
  title(strings: Strings, state: State): string;
  /** Without it, every reading has the view. */
  fits?(reading: Reading): boolean;
  render(context: Context): TemplateResult;
}

/** A model that the page brings along, and texts that show what it does. */
export interface Demo {
  id: string;
  order: number;
  name: Record<Language, string>;
  /** Id of the task it shows. */
  task: string;
  /** The model's folder, against the page's address. */
  model: string;
  examples: readonly Example[];
}

const byOrder = <T extends { order: number }>(entries: readonly unknown[]): T[] =>
  (entries as T[]).toSorted((a, b) => a.order - b.order);

export const tasks = byOrder<Task>(allTasks);
export const demos = site ? [demoOfSite(site)] : byOrder<Demo>(allDemos);
export const views = byOrder<View>(allViews);

export const taskOf = (id: string): Task => tasks.find((task) => task.id === id) ?? tasks[0]!;

/** A site's model in the demos' place. Its examples fill one field; a task that has more takes the others from its own. */
function demoOfSite({ title, model, info, examples }: Site): Demo {
  const task = tasks.find(({ fits }) => fits(info))!;
  const rest = task.examples[0]!.fields;
  const given = examples.map((fields) => ({ name: fields.text, fields: { ...rest, ...fields } }));
  return {
    id: model,
    order: 0,
    name: { en: title, zh: title },
    task: task.id,
    model,
    examples: given.length > 0 ? given : task.examples,
  };
}

export const demoOf = (id: string): Demo => demos.find((demo) => demo.id === id) ?? demos[0]!;

export const fieldsOf = ({ fields }: Example): Fields => ({ text: '', pair: '', labels: '', ...fields });

/** Whether every field that a task needs is filled. */
export const isFilled = (task: Task, info: ModelInfo | null, fields: Fields): boolean =>
  task.fields(info).every(({ name, optional }) => optional || fields[name].trim() !== '');
