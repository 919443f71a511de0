import type { AttentionResult, Model } from '../src/types.js';

/** All that every view derives from: each token's row in all layers and heads. What a visitor types is text, "[SEP]" too. */
export const wholeAttention = (model: Model, text: string, signal: AbortSignal): Promise<AttentionResult> =>
  model.attention(text, { query: 'all', specialTokens: true, specialTokensInText: 'text', signal });
