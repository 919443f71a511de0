// Which column holds what: guessed from names and from the first rows.

const textNames = /^(text|texts|review|sentence|sentence1|content|comment|body|message|document|premise|文本|文字|内容|评论|评价|句子)$/i;
const labelNames = /^(label|labels|target|class|category|sentiment|gold|answer|y|标签|类别|分类|情感)$/i;

const cellsOf = (rows: readonly (readonly string[])[], column: number): string[] =>
  rows.map((cells) => cells[column] ?? '').filter((cell) => cell.trim() !== '');

const isNumber = (cell: string): boolean => /^\s*[-+]?[\d.,\s]+(e[-+]?\d+)?%?\s*$/i.test(cell);

/** The column of texts: by its name, else the one whose cells are longest on average. null: none holds a word. */
export function textColumn(columns: readonly string[], rows: readonly (readonly string[])[]): number | null {
  const lengths = columns.map((_, column) => {
    const cells = cellsOf(rows, column).filter((cell) => !isNumber(cell));
    return cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, rows.length);
  });
  const named = columns.findIndex((name, column) => textNames.test(name.trim()) && lengths[column]! > 0);
  if (named >= 0) return named;
  const longest = Math.max(...lengths);
  return longest > 0 ? lengths.indexOf(longest) : null;
}

/** The column of right labels: one whose cells are all the model's labels; null: none. */
export function labelColumn(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  labels: readonly string[],
  text: number | null,
): number | null {
  if (labels.length === 0) return null;
  const fits = columns.map((_, column) => {
    const cells = cellsOf(rows, column);
    return column !== text && cells.length > 0 && cells.every((cell) => labelIndex(cell, labels) !== null);
  });
  const named = columns.findIndex((name, column) => labelNames.test(name.trim()) && fits[column]);
  if (named >= 0) return named;
  // Numbers alone could be anything, unless the column says what it is.
  const plain = fits.findIndex((fit, column) => fit && !cellsOf(rows, column).every(isNumber));
  return plain >= 0 ? plain : null;
}

/** A cell as one of the labels: its name whatever the case, the beginning of just one, or its index from 0. */
export function labelIndex(cell: string, labels: readonly string[]): number | null {
  const wanted = cell.trim().toLowerCase();
  if (wanted === '') return null;
  const names = labels.map((label) => label.toLowerCase());
  const same = names.indexOf(wanted);
  if (same >= 0) return same;
  if (/^\d+$/.test(wanted)) return Number(wanted) < labels.length ? Number(wanted) : null;
  const beginning = names.flatMap((name, i) => (wanted.length >= 3 && name.startsWith(wanted) ? [i] : []));
  return beginning.length === 1 ? beginning[0]! : null;
}
