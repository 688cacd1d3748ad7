import {
  getTableColumns,
  getTableName,
  type BuildColumns,
  type BuildExtraConfigColumns,
} from 'drizzle-orm';
import {
  pgTable,
  type AnyPgColumn,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
  type PgTableWithColumns,
} from 'drizzle-orm/pg-core';
import type { RetentionKind } from '~/base/retention-periods.ts';

/** Whose data a table holds. Tables of nobody's are plain `pgTable`s. */
export type DataSubject = 'traveller' | 'payer' | 'draft' | 'request' | 'staff';

/** The ids by which rows of a person are found. */
export type PersonIds = {
  applicationIds: readonly string[];
  /** Of these applications and orders. */
  numbers: readonly string[];
  documentIds: readonly string[];
  emailIds: readonly string[];
  /** Orders that the person pays, not those in which they only travel. */
  orderIds: readonly string[];
  orderNumbers: readonly string[];
  attemptIds: readonly string[];
  refundIds: readonly string[];
  draftIds: readonly string[];
  /** Requests of the person about their data. */
  caseIds: readonly string[];
  /** Accounts at the desk, and their addresses. */
  staffIds: readonly string[];
  staffEmails: readonly string[];
};

/** What becomes of the rows when a person has their data erased. */
export type Erasure =
  /** They go. */
  | 'deleted'
  /** They stay without what was personal in them. */
  | 'emptied'
  /** The law obliges us to keep them. */
  | 'kept'
  /** They hold nothing of a traveller, or end by themselves within days. */
  | 'none';

/** What an export does with a column: hands it out, opens it, hands out the file it names, or leaves it out. */
type ColumnClass = 'personal' | 'sealed' | 'storedFile' | 'withheld' | 'internal';

const classes = new WeakMap<PgColumnBuilderBase, ColumnClass>();

const classedAs =
  (columnClass: ColumnClass) =>
  <Builder extends PgColumnBuilderBase>(builder: Builder): Builder => {
    classes.set(builder, columnClass);
    return builder;
  };

/** A column about the person: an export hands it out as it is. */
export const personal = classedAs('personal');
/** A column of bytes that the sealer makes; sealed as `table.column:primary key`. An export opens it. */
export const sealed = classedAs('sealed');
/** Sealed as well, and no export hands it out. */
export const withheld = classedAs('withheld');
/** The name of a file: an export hands out the file. */
export const storedFile = classedAs('storedFile');
/** States and counters of the service, secrets, and who of the staff did something: nothing that an export hands out. */
export const internal = classedAs('internal');

/** Ids of rows, and hashes: internal without saying so. */
const INTERNAL_TYPES = ['uuid', 'serial', 'bigserial', 'bytea'];

type Facts<Name extends string> = {
  about: DataSubject;
  /** What the table is for, for the register of processing. */
  purpose: string;
  /** How long it is kept, by `base/retention-periods.ts`; left out where other rows or nothing ends it. */
  kept?: readonly RetentionKind[];
  /** `deleted` where it is left out. */
  erasure?: Erasure;
  /**
   * The column by which a person's rows are found, and in which ids; several where any of them will do. `only`: the value
   * of another column, where ids of several kinds stand in one.
   */
  rows?: readonly (readonly [
    column: Name,
    ids: keyof PersonIds,
    only?: readonly [column: Name, value: string],
  ])[];
};

export type PersonalTable = {
  table: PgTable;
  name: string;
  about: DataSubject;
  purpose: string;
  kept: readonly RetentionKind[];
  erasure: Erasure;
  rows: readonly {
    column: AnyPgColumn;
    ids: keyof PersonIds;
    only: { column: AnyPgColumn; value: string } | null;
  }[];
  /** By their names in the code. */
  columns: readonly { name: string; column: AnyPgColumn; class: ColumnClass }[];
};

const tables = new WeakMap<PgTable, PersonalTable>();

/** What a table says of the data in it; null for one that is nobody's. */
export const findPersonalTable = (table: PgTable): PersonalTable | null =>
  tables.get(table) ?? null;

/**
 * A table of data about people: whose it is, what for, how long it is kept, how a person's rows are found and what an
 * erasure does with them. Every column but ids and hashes says what it is.
 * @throws Error for a column that does not
 */
export function personalTable<
  Name extends string,
  Columns extends Record<string, PgColumnBuilderBase>,
>(
  name: Name,
  facts: Facts<keyof NoInfer<Columns> & string>,
  columns: Columns,
  extra?: (self: BuildExtraConfigColumns<Name, Columns, 'pg'>) => PgTableExtraConfigValue[],
): PgTableWithColumns<{
  name: Name;
  schema: undefined;
  columns: BuildColumns<Name, Columns, 'pg'>;
  dialect: 'pg';
}> {
  const table = pgTable(name, columns, extra);
  const built: Record<string, AnyPgColumn> = getTableColumns(table);
  const columnOf = (one: string): AnyPgColumn => {
    const column = built[one];
    if (!column) throw new Error(`${name} has no column ${one}`);
    return column;
  };
  tables.set(table, {
    kept: [],
    erasure: 'deleted',
    ...facts,
    table,
    name: getTableName(table),
    rows: (facts.rows ?? []).map(([column, ids, only]) => ({
      column: columnOf(column),
      ids,
      only: only ? { column: columnOf(only[0]), value: only[1] } : null,
    })),
    columns: Object.entries(columns).map(([one, builder]) => {
      const column = columnOf(one);
      const said = classes.get(builder);
      if (!said && !INTERNAL_TYPES.includes(column.getSQLType()))
        throw new Error(`Is ${name}.${one} personal or internal?`);
      return { name: one, column, class: said ?? 'internal' };
    }),
  });
  return table;
}
