import { invalid, reading } from './options.js';
import type { InputPair } from './engine.js';
import type { Input } from './types.js';

export type Inputs = Input | readonly Input[];

export function isList(input: Inputs): input is readonly Input[] {
  return Array.isArray(input);
}

/** Inputs as the engine takes them; throws E_INVALID_ARGUMENT for what is none. */
export function toPairs(input: Inputs): InputPair[] {
  return reading('An input', () => (isList(input) ? Array.from(input, toPair) : [toPair(input)]));
}

function toPair(input: Input): InputPair {
  if (typeof input === 'string') return { text: input };
  if (typeof input === 'object' && input !== null) {
    const { text, textPair, ...others } = input;
    const isText = typeof text === 'string' && (textPair === undefined || typeof textPair === 'string');
    if (isText && Object.keys(others).length === 0) return textPair === undefined ? { text } : { text, textPair };
  }
  throw invalid('An input must be a string or { text, textPair }, both strings');
}
