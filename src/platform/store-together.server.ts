import { getTableColumns, getTableName, Param, SQL, sql, StringChunk } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.server.ts';
import { jobSql, type NewJob } from './jobs.server.ts';

/** A row of some table, as its columns take it. */
export type NewRow = { table: PgTable; values: Readonly<Record<string, unknown>> };

export const rowOf = <T extends PgTable>(table: T, values: T['$inferInsert']): NewRow => ({
  table,
  values,
});

export type Together = {
  /**
   * A query of one row, or of none, and then nothing is stored: a condition (`onlyWhere`), or an UPDATE … RETURNING that
   * has to find its row.
   */
  only?: SQL;
  rows: readonly NewRow[];
  jobs?: readonly NewJob[];
};

/** Stores only where a condition holds at the moment of the statement. */
export const onlyWhere = (condition: SQL): SQL => sql`select 1 where ${condition}`;

/**
 * Stores rows of several tables, and jobs, by one statement: all of it or nothing, without a transaction around it. Rows
 * may refer to one another in any order. False where `only` found nothing.
 */
export async function storeTogether(
  db: Queryable,
  { only = sql`select 1`, rows, jobs = [] }: Together,
): Promise<boolean> {
  const inserts = rows.map((row, n) => sql`, ${sql.raw(`row_${n}`)} as (${insertSql(row)})`);
  const queued = jobs.map((job) => sql`, ${jobSql(job)}`);
  const answer = await db.execute(
    sql`with only_if as (${only})${sql.join(inserts)} select 1${sql.join(queued)} from only_if`,
  );
  return answer.rowCount !== null && answer.rowCount > 0;
}

/**
 * Inserts a row where the part `only_if` of the statement has one: `select` instead of `values`, so that the row hangs on
 * that condition. PostgreSQL gives each value its column's type.
 */
export function insertSql({ table, values }: NewRow): SQL {
  const columns = getTableColumns(table);
  const given = Object.keys(columns).filter((key) => values[key] !== undefined);
  // Flat, because each SQL within another takes Drizzle its time.
  const all = given.flatMap((key, n) => [
    ...(n === 0 ? [] : [COMMA]),
    new Param(values[key], columns[key]),
  ]);
  return new SQL([headOf(table, given), ...all, FROM_ONLY_IF]);
}

const COMMA = new StringChunk(', ');
const FROM_ONLY_IF = new StringChunk(' from only_if');
const heads = new WeakMap<PgTable, Map<string, StringChunk>>();

/** The part of an INSERT that names table and columns, made once: nothing of it comes from outside. */
function headOf(table: PgTable, keys: readonly string[]): StringChunk {
  const known = heads.get(table) ?? new Map<string, StringChunk>();
  heads.set(table, known);
  const which = keys.join();
  const before = known.get(which);
  if (before) return before;
  const columns = getTableColumns(table);
  const names = keys.map((key) => `"${columns[key]?.name ?? key}"`);
  const head = new StringChunk(
    `insert into "${getTableName(table)}" (${names.join(', ')}) select `,
  );
  known.set(which, head);
  return head;
}
