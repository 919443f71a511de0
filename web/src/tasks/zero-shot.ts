import { invalid, isListOf, isText, reading } from '../options.js';
import type { ClassifyReply } from './classify.js';
import type { ZeroShot } from '../types.js';

export const toZeroShot = ({ labels, truncated }: ClassifyReply): ZeroShot => ({
  labels: labels.map(({ label }) => label),
  scores: labels.map(({ score }) => score),
  truncated,
});

/** Throws E_INVALID_ARGUMENT for what is no list of labels. */
export function readLabels(labels: readonly string[]): string[] {
  return reading('labels', () => {
    if (isListOf<string>(labels, isText) && labels.length > 0) return [...labels];
    throw invalid('labels must be a list of strings, at least one');
  });
}
