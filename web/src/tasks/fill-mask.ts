import { withCuts } from './results.js';
import type { Cut, FilledMask, FilledMasks } from '../types.js';

/** What the engine returns for one input: a list a mask. */
export interface FillMaskReply {
  masks: FilledMask[][];
  truncated: Cut[];
}

export function toFilledMasks({ masks, truncated }: FillMaskReply): FilledMasks {
  const [only] = masks;
  return masks.length === 1 && only ? withCuts(only, truncated) : withCuts(masks, truncated);
}
