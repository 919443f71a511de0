// How the text can be lit by something else than attention: an explanation of what the model says.

import type { Extra } from './extras.js';
import type { Lit } from './lit.js';
import { say } from './phrases.js';
import type { Context, Reading, Task } from './registry.js';
import type { State } from './state.js';
import { inputOf, queryName } from './units.js';
import type { ExplainMethod, ExplainOptions, Explanation, Model, ModelInfo } from '../src/types.js';

/** In the order of the menu; the first needs no explanation. */
const all = [
  'attention',
  'integrated-gradients',
  'gradient-input',
  'relevance',
  'occlusion',
  'rollout',
  'flow',
  'norms',
  'value-zeroing',
] as const satisfies readonly ('attention' | ExplainMethod)[];
export type Method = (typeof all)[number];

/** They tell what goes into a token's representation; the others, what speaks for the model's answer. */
const ofAttention: readonly Method[] = ['rollout', 'flow', 'norms', 'value-zeroing'];
/** Whether it explains what the model says, and not what attention carries. */
export const isTargeted = (method: Method): boolean => method !== 'attention' && !ofAttention.includes(method);

const FLOW_TOKENS = 128;

/** Calls that read the model's head. */
const heads = ['classify', 'entities', 'fillMask', 'answer', 'nextSentence'];
const readsTokens = ({ tasks }: ModelInfo): boolean => tasks.includes('entities') || tasks.includes('fillMask');

/** The methods that a reading can be lit by. */
export function methodsFor({ attention }: Reading, info: ModelInfo | null): readonly Method[] {
  const targeted = info === null || info.tasks.some((call) => heads.includes(call));
  return all.filter((method) => {
    if (method === 'flow') return attention.tokens.length <= FLOW_TOKENS;
    return targeted || !isTargeted(method);
  });
}

/** A method that nobody asked for by name takes no more forward passes and, by the measured one, no more time than this. */
const MOST_PASSES = 96;
const MOST_SECONDS = 8;

/** A method that would have lit the text; and what it would take, a forward pass a word or piece, or why it failed. */
export type Declined = { method: Method } & ({ passes: number; seconds: number } | { message: string });

/** What the state asks for, or the task has at first, among these methods; before there is a reading, among all. */
export function firstMethod({ by }: State, { light }: Task, methods: readonly Method[] = all): Method {
  const known = (name: string | undefined) => methods.find((method) => method === name);
  return known(by) ?? known(light) ?? 'attention';
}

/** The same, unless it takes long and nobody asked for it by name: then attention. */
export function methodOf(
  state: State,
  { task, units, milliseconds }: Reading,
  methods: readonly Method[],
): { method: Method; declined: Declined | null } {
  const method = firstMethod(state, task, methods);
  if (method !== 'occlusion' || method === state.by) return { method, declined: null };
  const passes = units.lit.filter(Boolean).length;
  const seconds = (passes * (milliseconds ?? 0)) / 1000;
  if (passes <= MOST_PASSES && seconds <= MOST_SECONDS) return { method, declined: null };
  return { method: 'attention', declined: { method, passes, seconds } };
}


/** Whether what a method says depends on the token that looks. */
export const asksToken = (method: Method, info: ModelInfo | null): boolean =>
  method === 'attention' || ofAttention.includes(method) || (info !== null && readsTokens(info));

/** Labels that can be explained, before the model is here those of the run that is shown; empty: there is no choice. */
export function targetsOf({ attention }: Reading, info: ModelInfo | null): readonly string[] {
  if (!info) return attention.labels.map(({ label }) => label);
  return info.tasks.includes('classify') ? info.labels : [];
}

/** What the words add to, as the sentence says it; null: there is a menu. */
export function targetName(
  { strings, reading, query }: Pick<Context, 'strings' | 'reading' | 'query'>,
  method: Method,
  info: ModelInfo | null,
): string | null {
  if (ofAttention.includes(method)) return queryName(reading, query);
  if (targetsOf(reading, info).length > 0) return null;
  return info && readsTokens(info) ? queryName(reading, query) : strings.theVerdict;
}

/** token: the one that looks, where the model, or the method, has an answer for each. label: undefined: the likeliest. */
export function explainOptions(
  { attention, task }: Reading,
  info: ModelInfo | null,
  token: number,
  method: ExplainMethod,
  label?: string,
): ExplainOptions {
  return {
    method,
    target: { ...(label === undefined || !isTargeted(method as Method) ? {} : { label }), ...(asksToken(method as Method, info) ? { token } : {}) },
    maxLength: attention.tokens.length,
    specialTokensInText: task.specialTokensInText ?? 'text',
  };
}

/** What an explanation is known by among what is asked about a reading. */
export const explanationKey = (method: ExplainMethod, words: boolean, label?: string, token?: number): string =>
  `explain ${method} ${words ? 'words' : 'tokens'} ${label ?? ''} ${token ?? ''}`;

type Asking = Pick<Context, 'ask' | 'reading' | 'state' | 'strings' | 'query'>;

/** Asks for an explanation; until it is here, nothing is lit. */
export function explanationLit(context: Asking, method: ExplainMethod, info: ModelInfo | null): [Lit, Extra<Explanation>] {
  const { ask, reading, state, strings, query } = context;
  const { units } = reading;
  const isChoice = isTargeted(method as Method) && targetsOf(reading, info).includes(state.target);
  const label = isChoice ? state.target : undefined;
  const options = explainOptions(reading, info, units.groups[query]![0]!, method, label);
  // A word that is taken out is not the sum of its pieces that are.
  const words = method === 'occlusion' && !state.pieces;
  const key = explanationKey(method, words, label, options.target?.token);
  const extra = ask(key, (model: Model, hooks) => model.explain(inputOf(reading), { ...options, words, ...hooks }));
  const scores = extra.value?.scores.data;
  const weights = Float32Array.from(units.groups, (group, entry) =>
    words ? (scores?.[entry] ?? 0) : group.reduce((sum, i) => sum + (scores?.[i] ?? 0), 0),
  );
  const full = weights.reduce((most, weight, i) => (units.lit[i] ? Math.max(most, Math.abs(weight)) : most), 0) || 1;
  const likeliest = label ?? reading.attention.labels[0]?.label ?? '';
  const target = extra.value?.target.label ?? targetName(context, method as Method, info) ?? likeliest;
  const sentence = method === 'occlusion' ? strings.occluded : strings.explained;
  const told = [say(sentence, { method: strings.methods[method as Method], target }), ...checks(context, extra.value)];
  const lit: Lit = {
    light: { weights, shares: null, full },
    format: 'number',
    unit: method,
    signed: isTargeted(method as Method),
    caption: told.join(' · '),
    key: `${key} ${state.pieces}`,
  };
  return [lit, extra];
}

/** How exact it is, where that can be told. */
function checks({ strings }: Pick<Context, 'strings'>, explanation: Explanation | null): string[] {
  const { completeness, forwardDistance } = explanation?.check ?? {};
  return [
    ...(completeness ? [say(strings.completeness, { error: completeness.error.toFixed(3) })] : []),
    ...(forwardDistance === undefined ? [] : [say(strings.forwardDistance, { distance: forwardDistance.toFixed(3) })]),
  ];
}
