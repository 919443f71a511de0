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

  /**
   * line: of the file, from 1; null where it is the file as a whole. row: the one that is broken, from 1 as the page
   * counts; those before it are good. null where it is no row's fault.
   */
  constructor(
    readonly problem: TableProblem,
    readonly line: number | null = null,
    readonly row: number | null = null,
    options?: ErrorOptions,
  ) {
    super(line === null ? problem : `${problem} in line ${line}`, options);
  }
}
