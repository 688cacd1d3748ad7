/** A column whose values are sealed, each for its own row. */
export type SealedColumn = {
  table: string;
  column: string;
  /** The columns that name a row, and their types in the database. */
  key: readonly { name: string; type: string }[];
};

/** What the value of a row was sealed as (`Sealer.seal`), from the key's values as text; bytes are hexadecimal. */
export const contextOf = ({ table, column }: SealedColumn, key: readonly string[]): string =>
  `${table}.${column}:${key.map((one) => one.replace(/^\\x/, '')).join(':')}`;

/** A value or a file that no configured key opens. */
export type Unopened = { where: string; id: string };
