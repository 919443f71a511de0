import type { ModelInfo } from '../src/types.js';

/** No task reads its head: only the calls fit that every encoder has, embed, attention and forward. */
export const isBareEncoder = ({ tasks: calls }: ModelInfo): boolean => calls.length <= 3;
