import { wordGroups } from '../words.js';
import type { AttendedToken, Cut, ExplainMethod, Explanation, Tensor } from '../types.js';

/** What the engine returns for one input. */
export interface ExplainReply {
  target: { label?: number; token?: number; position?: 'end' };
  tokens: AttendedToken[];
  words: AttendedToken[];
  scores: Tensor;
  probabilityScores?: Tensor;
  logits?: Tensor;
  targetLogit?: number;
  probability?: number;
  check: Explanation['check'];
  details: Tensor[];
  attentionGradients: Tensor[];
  truncated: Cut[];
}

export const defaultMethod: ExplainMethod = 'integrated-gradients';

/** labels: of the model; words: whether scores are those of words. Without a target's logit there is no label to tell. */
export function toExplanation(
  { target, logits, targetLogit, probability, scores, probabilityScores, ...rest }: ExplainReply,
  method: ExplainMethod,
  labels: readonly string[],
  words: boolean,
): Explanation {
  const merged = (tensor: Tensor) =>
    words && method !== 'head-importance' ? sumsOver(wordGroups(rest.tokens), tensor) : tensor;
  const { token = null } = target;
  const { label: index = null, position = null } = targetLogit === undefined ? {} : target;
  return {
    method,
    target: {
      label: index === null ? null : (labels[index] ?? null),
      index,
      token,
      position,
    },
    scores: merged(scores),
    ...(probabilityScores ? { probabilityScores: merged(probabilityScores) } : {}),
    logit: logits && targetLogit !== undefined ? logits.data[targetLogit]! : null,
    probability: probability ?? null,
    ...rest,
  };
}

function sumsOver(groups: readonly (readonly number[])[], { data }: Tensor): Tensor {
  const sums = Float32Array.from(groups, (group) => group.reduce((sum, i) => sum + data[i]!, 0));
  return { data: sums, shape: [sums.length] };
}
