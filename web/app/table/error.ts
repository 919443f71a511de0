// What may be wrong with a table, in parts that the page can say in its language.

export type TableProblem =
  | 'empty'
  | 'binary'
  | 'encoding'
  | 'quotes'
  | 'json'
  | 'jsonArray'
  | 'rowTooLong'
  | 'noText'
  | 'tooManyRows'
  | 'unreadable';

export class TableError extends Error {
  override readonly name = 'TableError';

  /** line: of the file, from 1; null where it is the file as a whole. */
  constructor(
    readonly problem: TableProblem,
    readonly line: number | null = null,
    options?: ErrorOptions,
  ) {
    super(line === null ? problem : `${problem} in line ${line}`, options);
  }
}
