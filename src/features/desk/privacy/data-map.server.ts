import { getTableColumns, getTableName } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RetentionKind } from '~/base/retention-periods.ts';

/** Whose data a table holds. `nobody`: none, or a public fact, or only of the operator. */
export type About = 'traveller' | 'payer' | 'draft' | 'request' | 'staff' | 'nobody';

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
  visaDraftIds: readonly string[];
  insuranceDraftIds: readonly string[];
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

type ColumnName<T extends PgTable> = keyof T['_']['columns'] & string;

type Columns<Name extends string> = {
  /** Handed out in an export as they are. */
  shown?: readonly Name[];
  /** Sealed: opened for an export. */
  sealed?: readonly Name[];
  /** Hashes of what is handed out elsewhere, or of secrets. */
  hashed?: readonly Name[];
  /** Sealed, and not handed out. */
  withheld?: readonly Name[];
  /** Names of files, which an export holds themselves. */
  files?: readonly Name[];
  /** Which of the staff did something: their data, not the traveller's. */
  staff?: readonly Name[];
  /** Ids and states of the service, which say nothing of a person. */
  internal?: readonly Name[];
};

type Mapping<Name extends string> = {
  about: About;
  /** What the table is for, for the register of processing. */
  purpose: string;
  /** How long it is kept, by `base/retention-periods.ts`; empty where other rows or nothing ends it. */
  kept: readonly RetentionKind[];
  erasure: Erasure;
  /**
   * The column by which a person's rows are found, and in which ids; several where any of them will do. `only`: the value
   * of another column, where ids of several kinds stand in one.
   */
  rows?: readonly (readonly [
    column: Name,
    ids: keyof PersonIds,
    only?: readonly [column: Name, value: string],
  ])[];
  columns: Columns<Name>;
};

export type MappedTable = {
  table: PgTable;
  name: string;
  about: About;
  purpose: string;
  kept: readonly RetentionKind[];
  erasure: Erasure;
  rows: readonly {
    column: AnyPgColumn;
    ids: keyof PersonIds;
    only: { column: AnyPgColumn; value: string } | null;
  }[];
  columns: Required<Columns<string>>;
};

/** One table of the map. The compiler checks the names; `data-map.test.ts` that no column is missing. */
export function mapped<T extends PgTable>(table: T, mapping: Mapping<ColumnName<T>>): MappedTable {
  const { about, purpose, kept, erasure, rows = [], columns } = mapping;
  const byName: Record<string, AnyPgColumn> = getTableColumns(table);
  return {
    table,
    name: getTableName(table),
    about,
    purpose,
    kept,
    erasure,
    rows: rows.flatMap(([name, ids, only]) => {
      const column = byName[name];
      const other = only && byName[only[0]];
      return column
        ? [{ column, ids, only: only && other ? { column: other, value: only[1] } : null }]
        : [];
    }),
    columns: {
      shown: [],
      sealed: [],
      hashed: [],
      withheld: [],
      files: [],
      staff: [],
      internal: [],
      ...columns,
    },
  };
}

/** All columns of a mapped table that the map names, sorted. */
export const namedColumns = ({ columns }: Pick<MappedTable, 'columns'>): string[] =>
  Object.values(columns).flat().toSorted();
