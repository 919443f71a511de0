// What the kinds of evaluation share: figures by source, batches, shares in per cent.

import { HeadlightError } from '../../errors.js';
import type { Cut, Model } from '../../types.js';

export interface EvaluationOptions {
  /** Texts are cut at so many tokens. */
  maxLength: number;
  /** Of the masks. */
  seed: number;
}

export interface Evaluation {
  /** As --json prints them. */
  figures: object;
  /** The same to read. */
  lines: string[];
  /** What the model took each text for, or each word (entities), each mask (masked words), in order. */
  decisions: string[];
  /** Texts that were cut. */
  truncated: number;
}

export type Evaluate = (model: Model, file: string, options: EvaluationOptions) => Promise<Evaluation>;

const batchSize = 32;

/** The results of `call` for all items, in order. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  call: (batch: Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    results.push(...(await call(items.slice(start, start + batchSize))));
  }
  return results;
}

/** The items of each group, in the order in which the groups come. */
export function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/**
 * Figures of all items and, where these name their source, of each source: { …, sources: { name: { … } } }, and a line
 * for each.
 */
export function figuresBySource<Item extends { source: string | undefined }, Figures extends object>(
  items: readonly Item[],
  figuresOf: (items: readonly Item[]) => Figures,
  describe: (figures: Figures) => string,
): { figures: Figures & { sources?: Record<string, Figures> }; lines: string[] } {
  const figures = figuresOf(items);
  if (items.every(({ source }) => source === undefined)) return { figures, lines: [describe(figures)] };
  const sources = [...groupBy(items, ({ source }) => source ?? '')].map(
    ([name, group]) => [name, figuresOf(group)] as const,
  );
  return {
    figures: { ...figures, sources: Object.fromEntries(sources) },
    lines: [...sources, ['all', figures] as const].map(([name, own]) => `${name}: ${describe(own)}`),
  };
}

export function countTruncated(results: readonly { truncated: readonly Cut[] }[]): number {
  return results.filter(({ truncated }) => truncated.length > 0).length;
}

/** "783/872 = 89.79 %" */
export function share(part: number, whole: number): string {
  return `${part}/${whole} = ${percent(part / whole)}`;
}

export function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(2)} %`;
}

/** Throws E_INVALID_ARGUMENT about a line of the file, counted from 1. */
export function failAt(file: string, line: number, what: string): never {
  throw new HeadlightError('E_INVALID_ARGUMENT', `Line ${line} of ${file} ${what}`, { file });
}
