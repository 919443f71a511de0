import { withCuts } from './results.js';
import type { Classification, Cut, LabelScore } from '../types.js';

/** What the engine returns for one input. */
export interface ClassifyReply {
  labels: LabelScore[];
  truncated: Cut[];
}

export const toClassification = ({ labels, truncated }: ClassifyReply): Classification => withCuts(labels, truncated);
