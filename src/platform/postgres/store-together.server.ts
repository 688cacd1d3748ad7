import { getTableColumns, getTableName, Param, SQL, sql, type Query } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.server.ts';
import { KnownText, toQuery } from './statements.server.ts';

/** A row of some table, as its columns take it. */
export type NewRow = { table: PgTable; values: Readonly<Record<string, unknown>> };

export const newRow = <T extends PgTable>(table: T, values: T['$inferInsert']): NewRow => ({
  table,
  values,
});

type StoredRows = {
  /**
   * A query of one row, or of none, and then nothing is stored: a condition (`conditionSql`), or an UPDATE … RETURNING that
   * has to find its row.
   */
  only?: SQL;
  rows: readonly NewRow[];
};

/** Stores only where a condition holds at the moment of the statement. */
export const conditionSql = (condition: SQL): SQL => sql`select 1 where ${condition}`;

/**
 * Stores rows of several tables by one statement: all of them or none, without a transaction around it. Rows may refer
 * to one another in any order. False where `only` found nothing.
 */
export async function storeRows(
  db: Queryable,
  { only = ALWAYS, rows }: StoredRows,
): Promise<boolean> {
  const condition = toQuery(only);
  const shapes = rows.map((row) => ({ ...row, keys: givenKeys(row) }));
  const text = textOf(condition, shapes);
  const params = [
    ...condition.params,
    ...shapes.flatMap(({ table, values, keys }) => paramsOf(table, values, keys)),
  ];
  const answer = await db.execute(new KnownText(text, params));
  return answer.rowCount !== null && answer.rowCount > 0;
}

const ALWAYS = sql`select 1`;

type Shape = { table: PgTable; keys: readonly string[] };

/** Conditions and tables are few, and so are their combinations; with more texts than this, all are made again. */
const MAX_CACHED_TEXTS = 500;
const texts = new Map<string, string>();

function textOf(condition: Query, shapes: readonly Shape[]): string {
  const tables = shapes.map(({ table, keys }) => `${getTableName(table)}(${keys.join()})`);
  const name = [condition.sql, ...tables].join('\n');
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = makeText(condition, shapes);
  if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
  texts.set(name, text);
  return text;
}

/** Nothing in it comes from outside: names of the tables, and numbers of values. */
function makeText(condition: Query, shapes: readonly Shape[]): string {
  let used = condition.params.length;
  const next = (count: number) => Array.from({ length: count }, () => `$${(used += 1)}`);
  const inserts = shapes.map(({ table, keys }, n) => {
    const row = `${headText(table, keys)}${next(keys.length).join(', ')}${FROM_ONLY_IF}`;
    return `, row_${n} as (${row})`;
  });
  return `with only_if as (${condition.sql})${inserts.join('')} select 1${FROM_ONLY_IF}`;
}

function paramsOf(table: PgTable, values: NewRow['values'], keys: readonly string[]): unknown[] {
  const columns = getTableColumns(table);
  return keys.map((key) => {
    const value = values[key];
    return value === null ? null : columns[key]?.mapToDriverValue(value);
  });
}

const givenKeys = ({ table, values }: NewRow): string[] =>
  Object.keys(getTableColumns(table)).filter((key) => values[key] !== undefined);

/**
 * Inserts a row where the part `only_if` of the statement has one: `select` instead of `values`, so that the row hangs on
 * that condition. PostgreSQL gives each value its column's type.
 */
export function insertSql(row: NewRow): SQL {
  const { table, values } = row;
  const columns = getTableColumns(table);
  const given = givenKeys(row);
  const params = given.map((key) => new Param(values[key], columns[key]));
  return sql`${sql.raw(headText(table, given))}${sql.join(params, COMMA)}${sql.raw(FROM_ONLY_IF)}`;
}

const COMMA = sql.raw(', ');
const FROM_ONLY_IF = ' from only_if';

/** The part of an INSERT that names table and columns. */
function headText(table: PgTable, keys: readonly string[]): string {
  const columns = getTableColumns(table);
  const names = keys.map((key) => `"${columns[key]?.name ?? key}"`);
  return `insert into "${getTableName(table)}" (${names.join(', ')}) select `;
}
