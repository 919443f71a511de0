// How well a model does, from the confusion matrix.

export interface Metrics {
  /** Rows that were compared. */
  count: number;
  /** Share that is right; NaN without rows. */
  accuracy: number;
  /** Mean F1 over the labels that occur, given or predicted, as scikit-learn's f1_score(average='macro'). */
  macroF1: number;
  /** One a label; NaN for one that does not occur. */
  f1: number[];
}

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

/** @param matrix [labels, labels], row = the right one, column = the predicted one */
export function metricsOf(matrix: ArrayLike<number>, labels: number): Metrics {
  const cell = (row: number, column: number) => matrix[row * labels + column]!;
  const indices = Array.from({ length: labels }, (_, i) => i);
  const count = sum(matrix);
  const right = sum(indices.map((i) => cell(i, i)));
  // F1 = 2 TP / (2 TP + FP + FN), and row + column sum = 2 TP + FP + FN.
  const f1 = indices.map((i) => {
    const given = sum(indices.map((j) => cell(i, j)));
    const predicted = sum(indices.map((j) => cell(j, i)));
    return (2 * cell(i, i)) / (given + predicted);
  });
  const occurring = f1.filter((value) => !Number.isNaN(value));
  return { count, accuracy: right / count, macroF1: sum(occurring) / occurring.length, f1 };
}
