import pg from 'pg';
import type { Pool } from 'pg';
import { UnsealError, type Sealer } from '../crypto/crypto.server.ts';

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

export type SealedValue = { key: string[]; sealed: Buffer };

const name = pg.escapeIdentifier;
const keyOf = ({ key }: SealedColumn) => key.map((column) => name(column.name)).join(', ');
const keyArray = ({ key }: SealedColumn) =>
  `array[${key.map((column) => `${name(column.name)}::text`).join(', ')}]`;

/** Values that do not begin with this head, in the order of their rows, after a row. */
export async function staleValues(
  pool: Pool,
  column: SealedColumn,
  { head, after, limit }: { head: Buffer; after: readonly string[] | null; limit: number },
): Promise<SealedValue[]> {
  const { table, key } = column;
  const given = key.map(({ type }, at) => `$${at + 4}::text::${type}`).join(', ');
  const { rows } = await pool.query<SealedValue>(
    `select ${keyArray(column)} as key, ${name(column.column)} as sealed
     from ${name(table)}
     where substr(${name(column.column)}, 1, $1) <> $2
       ${after ? `and (${keyOf(column)}) > (${given})` : ''}
     order by ${keyOf(column)} limit $3`,
    [head.length, head, limit, ...(after ?? [])],
  );
  return rows;
}

/** Some values, in the order of their rows: of random ids a random choice. */
export async function someValues(
  pool: Pool,
  column: SealedColumn,
  limit: number,
): Promise<SealedValue[]> {
  const { rows } = await pool.query<SealedValue>(
    `select ${keyArray(column)} as key, ${name(column.column)} as sealed
     from ${name(column.table)} where ${name(column.column)} is not null
     order by ${keyOf(column)} limit $1`,
    [limit],
  );
  return rows;
}

/** Exchanges values that are still what was read. Returns how many. */
export async function exchangeValues(
  pool: Pool,
  { table, column, key }: SealedColumn,
  values: readonly (SealedValue & { fresh: Buffer })[],
): Promise<number> {
  const names = key.map((_, at) => `key_${at}`);
  const arrays = key.map((_, at) => `$${at + 3}::text[]`).join(', ');
  const same = key.map((one, at) => `t.${name(one.name)} = given.key_${at}::${one.type}`);
  const { rowCount } = await pool.query(
    `update ${name(table)} as t set ${name(column)} = given.fresh
     from unnest($1::bytea[], $2::bytea[], ${arrays}) as given (sealed, fresh, ${names.join(', ')})
     where ${same.join(' and ')} and t.${name(column)} = given.sealed`,
    [
      values.map(({ sealed }) => sealed),
      values.map(({ fresh }) => fresh),
      ...key.map((_, at) => values.map((value) => value.key[at])),
    ],
  );
  return rowCount ?? 0;
}

/** How many values there are, and how many do not begin with this head. */
export async function countStale(
  pool: Pool,
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
  head: Buffer,
): Promise<{ all: number; stale: number }> {
  const { rows } = await pool.query<{ all: string; stale: string }>(
    `select count(${name(column)}) as all, count(*) filter (where substr(${name(column)}, 1, $1) <> $2) as stale
     from ${name(table)}`,
    [head.length, head],
  );
  return { all: Number(rows[0]?.all), stale: Number(rows[0]?.stale) };
}

/** Jobs that wait with something sealed by another key in them; they are short-lived and not changed. */
export async function countStaleJobs(pool: Pool, head: Buffer): Promise<number> {
  const { rows } = await pool.query<{ stale: string }>(
    `select count(*) as stale from graphile_worker._private_jobs
     where substr(decode(payload::jsonb ->> 'sealed', 'base64'), 1, $1) <> $2`,
    [head.length, head],
  );
  return Number(rows[0]?.stale);
}

/** Rows that one statement changes: none is locked for long. */
const BATCH = 500;

/**
 * Seals every value of a column with the newest key that is not. Batch by batch beside the running service: a value that
 * somebody changed meanwhile stays as it is, sealed by them. Whatever ends it, what was done stays done, and the next run
 * goes on with what is left. What no key opens is left as it is and returned.
 */
export async function reencryptColumn(
  pool: Pool,
  sealer: Pick<Sealer, 'seal' | 'unseal'>,
  column: SealedColumn,
  { head, onProgress }: { head: Buffer; onProgress: (done: number) => void },
): Promise<{ done: number; unopened: Unopened[] }> {
  const unopened: Unopened[] = [];
  let done = 0;
  for (let after: string[] | null = null; ;) {
    const values: SealedValue[] = await staleValues(pool, column, { head, after, limit: BATCH });
    const fresh = values.flatMap((value) => {
      const context = contextOf(column, value.key);
      try {
        return { ...value, fresh: sealer.seal(sealer.unseal(value.sealed, context), context) };
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        unopened.push({ where: `${column.table}.${column.column}`, id: value.key.join(' ') });
        return [];
      }
    });
    if (fresh.length > 0) done += await exchangeValues(pool, column, fresh);
    onProgress(done);
    if (values.length < BATCH) return { done, unopened };
    after = values.at(-1)?.key ?? null;
  }
}
