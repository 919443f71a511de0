import { HeadlightError } from './errors.js';
import type { RunOptions } from './types.js';

/**
 * Throws E_INVALID_ARGUMENT for options that are no object, a signal that is none and an onProgress that is no function.
 * What else the options hold the engine checks.
 */
export function checkOptions(options: unknown): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = options === null ? 'null' : Array.isArray(options) ? 'a list' : `a ${typeof options}`;
    throw new HeadlightError('E_INVALID_ARGUMENT', `The options must be an object, not ${given}`);
  }
  const { signal, onProgress } = options as RunOptions;
  if (isGiven(signal) && !isSignal(signal)) {
    throw new HeadlightError('E_INVALID_ARGUMENT', 'signal must be an AbortSignal');
  }
  if (isGiven(onProgress) && typeof onProgress !== 'function') {
    throw new HeadlightError('E_INVALID_ARGUMENT', 'onProgress must be a function');
  }
}

/** As with the engine's options, null counts as not given. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** By what is called of it, since a signal may come from another realm. */
function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, throwIfAborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof throwIfAborted === 'function' && typeof addEventListener === 'function';
}
