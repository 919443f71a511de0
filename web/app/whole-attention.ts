import type { AttentionResult, Input, Model } from '../src/types.js';

/** Maps of this many bytes at most are made; a longer text is cut. */
const MOST = 2 ** 29;

/**
 * All that every view derives from: each token's row in all layers and heads. What a visitor types is text, "[SEP]"
 * too, unless `specialTokensInText` is 'parse'.
 */
export function wholeAttention(
  model: Model,
  input: Input,
  signal: AbortSignal,
  specialTokensInText: 'text' | 'parse' = 'text',
): Promise<AttentionResult> {
  const { numHiddenLayers, numAttentionHeads, maxLength } = model.info;
  const fitting = Math.floor(Math.sqrt(MOST / (4 * numHiddenLayers * numAttentionHeads)));
  return model.attention(input, {
    query: 'all',
    specialTokens: true,
    specialTokensInText,
    maxLength: Math.min(maxLength, fitting),
    signal,
  });
}
