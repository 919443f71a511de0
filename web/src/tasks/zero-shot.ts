import { HeadlightError } from '../errors.js';
import type { ClassifyReply } from './classify.js';
import type { ZeroShot } from '../types.js';

export const toZeroShot = ({ labels, truncated }: ClassifyReply): ZeroShot => ({
  labels: labels.map(({ label }) => label),
  scores: labels.map(({ score }) => score),
  truncated,
});

/** Throws E_INVALID_ARGUMENT for what is no list of labels. */
export function checkLabels(labels: readonly string[]): void {
  if (!Array.isArray(labels) || labels.length === 0 || !labels.every((label) => typeof label === 'string')) {
    throw new HeadlightError('E_INVALID_ARGUMENT', 'labels must be a list of strings, at least one');
  }
}
