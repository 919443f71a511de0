// How the text can be lit by something else than attention: an explanation of what the model says.

import type { Extra } from './extras.js';
import type { Lit } from './lit.js';
import { say } from './phrases.js';
import type { Context, Reading } from './registry.js';
import type { State } from './state.js';
import { inputOf, queryName } from './units.js';
import type { ExplainMethod, ExplainOptions, Explanation, ModelInfo } from '../src/types.js';

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

/** Of integrated gradients: few enough to wait for, and the error is told. */
const STEPS = 20;
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

/** What the state asks for, where the reading can have it. */
export const methodOf = (state: State, methods: readonly Method[]): Method =>
  methods.find((method) => method === state.by) ?? 'attention';

/** Labels that can be explained; empty: there is no choice. */
export const targetsOf = (info: ModelInfo | null): readonly string[] =>
  info?.tasks.includes('classify') ? info.labels : [];

/** What the words add to, as the sentence says it; null: there is a menu. */
export function targetName(
  { strings, reading, query }: Pick<Context, 'strings' | 'reading' | 'query'>,
  method: Method,
  info: ModelInfo | null,
): string | null {
  if (ofAttention.includes(method)) return queryName(reading, query);
  if (targetsOf(info).length > 0) return null;
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
  const reads = ofAttention.includes(method as Method) || (info !== null && readsTokens(info));
  return {
    method,
    target: { ...(label === undefined ? {} : { label }), ...(reads ? { token } : {}) },
    steps: STEPS,
    maxLength: attention.tokens.length,
    specialTokensInText: task.specialTokensInText ?? 'text',
  };
}

type Asking = Pick<Context, 'ask' | 'reading' | 'state' | 'strings' | 'query'>;

/** Asks for an explanation; until it is here, nothing is lit. */
export function explanationLit(context: Asking, method: ExplainMethod, info: ModelInfo | null): [Lit, Extra<Explanation>] {
  const { ask, reading, state, strings, query } = context;
  const { units } = reading;
  const label = targetsOf(info).includes(state.target) ? state.target : undefined;
  const options = explainOptions(reading, info, units.groups[query]![0]!, method, label);
  const key = `explain ${method} ${label ?? ''} ${options.target?.token ?? ''}`;
  const extra = ask(key, (model, hooks) =>
    model.explain(inputOf(reading), { ...options, ...hooks }),
  );
  const scores = extra.value?.scores.data;
  const weights = Float32Array.from(units.groups, (group) => group.reduce((sum, i) => sum + (scores?.[i] ?? 0), 0));
  const full = weights.reduce((most, weight, i) => (units.lit[i] ? Math.max(most, Math.abs(weight)) : most), 0) || 1;
  const target = extra.value?.target.label ?? targetName(context, method as Method, info) ?? '';
  const told = [say(strings.explained, { method: strings.methods[method as Method], target }), ...checks(context, extra.value)];
  const lit: Lit = {
    light: { weights, shares: null, full },
    format: 'number',
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
