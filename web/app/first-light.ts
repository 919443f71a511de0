// The example that is lit before the model is here: an earlier run of it.

import type { AttentionResult, Explanation } from '../src/types.js';
import { explanationKey } from './explain.js';
import { run } from './first-light-run.js';
import { fieldsOf, taskOf, type Fields, type Task, type TaskResult } from './registry.js';

export interface FirstLight {
  demo: string;
  task: Task;
  fields: Fields;
  result: TaskResult;
  /** What was asked beside it, as `Extras` knows it. */
  known: Readonly<Record<string, unknown>>;
}

/** Weights are stored as 16-bit fractions of one, little-endian, in base64. */
export function firstLight(): FirstLight {
  const bytes = Uint8Array.from(atob(run.weights), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const data = Float32Array.from({ length: bytes.length / 2 }, (_, i) => view.getUint16(i * 2, true) / 65535);
  const attention: AttentionResult = {
    tokens: run.tokens as AttentionResult['tokens'],
    words: run.words as AttentionResult['words'],
    keys: run.tokens.map((_, i) => i),
    weights: { data, shape: run.shape, axes: ['layer', 'head', 'query', 'key'] },
    specialShare: [],
    truncated: [],
    labels: run.labels,
  };
  const { scores, label } = run.occlusion;
  const occlusion: Explanation = {
    method: 'occlusion',
    target: { label, index: null, token: null, position: null },
    tokens: attention.tokens,
    words: attention.words,
    scores: { data: Float32Array.from(scores), shape: [scores.length] },
    logit: null,
    probability: null,
    check: {},
    details: [],
    attentionGradients: [],
    truncated: [],
  };
  return {
    demo: 'sentiment-en',
    task: taskOf('classify'),
    fields: fieldsOf({ name: '', fields: { text: run.text } }),
    result: {
      text: run.text,
      pair: null,
      attention,
      answer: { labels: run.labels, problemType: 'single_label_classification' },
    },
    known: { [explanationKey('occlusion', true)]: occlusion },
  };
}
