const loneSurrogate = /\p{Surrogate}/gu;

/**
 * JSON for the engine. A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD of the same length, so that
 * offsets stay. NaN and infinities, which JSON cannot hold, become strings, so that the engine can refuse them.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'string') return item.replace(loneSurrogate, '\uFFFD');
    if (typeof item === 'number' && !Number.isFinite(item)) return String(item);
    return item;
  });
}
