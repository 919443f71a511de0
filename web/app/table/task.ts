// How a task reads the rows of a table.

import type { Entity, LabelScore, Model, ModelInfo } from '../../src/types.js';

export interface RowSpan {
  /** UTF-16 units of the row's text. */
  start: number;
  end: number;
  label: string;
}

/** What is kept of a row that was read. */
export interface RowResult {
  /** Of several, all of them, joined; empty: none. */
  label: string;
  /** 0 to 1; of a regression the value. */
  score: number;
  spans: readonly RowSpan[];
}

export interface TableTask {
  /** Labels that a column of right answers is compared with; none where there is nothing to compare. */
  labels(info: ModelInfo): readonly string[];
  /** One result a text, in order. */
  read(model: Model, texts: readonly string[], signal: AbortSignal): Promise<RowResult[]>;
}

export const labelRow = ({ label, score }: LabelScore): RowResult => ({ label, score, spans: [] });

/** Kinds in alphabetical order, each once, so that rows of the same kinds have one label; the score is the least certain span's. */
export function spansRow(entities: readonly Entity[]): RowResult {
  return {
    label: [...new Set(entities.map(({ entity }) => entity))].sort().join(', '),
    score: entities.reduce((least, { score }) => Math.min(least, score), 1),
    spans: entities.map(({ start, end, entity }) => ({ start, end, label: entity })),
  };
}
