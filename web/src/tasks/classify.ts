import type { Classification, Cut, LabelScore } from '../types.js';

/** What the engine returns for one input. */
export interface ClassifyReply {
  labels: LabelScore[];
  truncated: Cut[];
}

export function toClassification({ labels, truncated }: ClassifyReply): Classification {
  return Object.defineProperty(labels, 'truncated', { value: truncated }) as Classification;
}
