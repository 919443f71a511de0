// The example that is lit before the model is here: an earlier run of it.

import type { AttentionResult } from '../src/types.js';
import { run } from './first-light-run.js';
import { fieldsOf, taskOf, type Fields, type Task, type TaskResult } from './registry.js';

export interface FirstLight {
  demo: string;
  task: Task;
  fields: Fields;
  result: TaskResult;
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
  };
}
