import pg from 'pg';
import type { Pool, PoolClient } from 'pg';
import { UnsealError, type Sealer } from '../crypto/crypto.server.ts';
import type { FileStore } from '../files/file-store.server.ts';

/** A column whose values are sealed, each for its own row. */
export type SealedColumn = {
  table: string;
  column: string;
  /** The columns that name a row, and their types in the database. */
  key: readonly { name: string; type: string }[];
};

/** What the value of a row was sealed as (`Sealer.seal`), from the key's values as text; bytes are hexadecimal. */
export const sealingContext = ({ table, column }: SealedColumn, key: readonly string[]): string =>
  `${table}.${column}:${key.map((one) => one.replace(/^\\x/, '')).join(':')}`;

/** A value or a file that no configured key opens. */
export type UnopenedValue = { where: string; id: string };

type SealedValue = { key: string[]; sealed: Buffer };

const name = pg.escapeIdentifier;
const keyOf = ({ key }: SealedColumn) => key.map((column) => name(column.name)).join(', ');
const keyArray = ({ key }: SealedColumn) =>
  `array[${key.map((column) => `${name(column.name)}::text`).join(', ')}]`;

/** Values that do not begin with this head, in the order of their rows, after a row. */
async function staleValues(
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
async function exchangeValues(
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
): Promise<{ done: number; unopened: UnopenedValue[] }> {
  const unopened: UnopenedValue[] = [];
  let done = 0;
  for (let after: string[] | null = null; ;) {
    const values: SealedValue[] = await staleValues(pool, column, { head, after, limit: BATCH });
    const fresh = values.flatMap((value) => {
      const context = sealingContext(column, value.key);
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

const AT_ONCE = 8;

type FilesReport = { all: number; stale: number; done: number; unopened: UnopenedValue[] };

type FilesOptions = {
  store: FileStore;
  sealer: Pick<Sealer, 'seal' | 'unseal' | 'isStale'>;
  /** Every file that rows lead to. */
  ids: AsyncIterable<string>;
  /** Those of these files that a row refers to by now. */
  stillKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Counts only. */
  isCheck: boolean;
  onProgress: (done: number) => void;
};

/**
 * Seals every file with the newest key that is not, under its id: who reads it meanwhile gets the one or the other,
 * whole. A file that was removed with its row while it was written is removed again. A run that was interrupted is
 * repeated: what is sealed with the newest key is read and left.
 * @throws FilesUnavailable
 */
export async function reencryptFiles({
  store,
  sealer,
  ids,
  stillKnown,
  isCheck,
  onProgress,
}: FilesOptions): Promise<FilesReport> {
  const report: FilesReport = { all: 0, stale: 0, done: 0, unopened: [] };

  async function reencryptOne(id: string): Promise<void> {
    const sealed = await store.read(id);
    // What lacks is found by a backup.
    if (!sealed) return;
    report.all += 1;
    if (!sealer.isStale(sealed)) return;
    report.stale += 1;
    const context = `file:${id}`;
    let plain: Buffer;
    try {
      plain = sealer.unseal(sealed, context);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      report.unopened.push({ where: 'files', id });
      return;
    }
    if (isCheck) return;
    await store.write(id, sealer.seal(plain, context));
    if (!(await stillKnown([id])).has(id)) await store.remove(id);
    report.done += 1;
  }

  let running: Promise<void>[] = [];
  for await (const id of ids) {
    running.push(reencryptOne(id));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
    onProgress(report.done);
  }
  await Promise.all(running);
  onProgress(report.done);
  return report;
}

/** A column of keyed hashes, and the columns that name a row. */
export type HashedColumn = Pick<SealedColumn, 'table' | 'column' | 'key'>;

/** A keyed hash with the sealed value that it is of in the same row, so that its look-up keys can be checked. */
export type HashBesideValue = { sealed: SealedColumn; hash: string; purpose: string };

/** How many hashes are by all look-up keys, by all but the newest, and by neither. */
type Generations = { newest: number; before: number; neither: number };

type RehashCounts = Generations & { done: number };

const HASH_BATCH = 2000;

/**
 * Puts the newest look-up key on every keyed hash, in one transaction: interrupted, nothing of it was done. Only where
 * all hashes are by all keys but the newest. The service must not run: it would store hashes meanwhile, and a hash does
 * not say by which keys it was made.
 */
export async function rehashAll(
  pool: Pool,
  sealer: Pick<Sealer, 'rehash' | 'unseal' | 'keyedHashes'>,
  { telling, hashed }: { telling: readonly HashBesideValue[]; hashed: readonly HashedColumn[] },
): Promise<RehashCounts> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const found: RehashCounts = { newest: 0, before: 0, neither: 0, done: 0 };
    for (const column of telling) await count(client, sealer, column, found);
    if (found.newest === 0 && found.neither === 0) {
      for (const column of hashed) found.done += await rehashColumn(client, sealer, column);
    }
    await client.query('commit');
    return found;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release(failure);
  }
}

type Row = { key: string[]; hash: Buffer; sealed: Buffer };

async function count(
  client: PoolClient,
  sealer: Pick<Sealer, 'unseal' | 'keyedHashes'>,
  { sealed, hash, purpose }: HashBesideValue,
  found: Generations,
): Promise<void> {
  const columns = `${name(hash)} as hash, ${name(sealed.column)} as sealed`;
  for await (const rows of batches<Row>(client, sealed, columns)) {
    for (const row of rows) found[generationOf(row)] += 1;
  }

  function generationOf(row: Row): keyof Generations {
    try {
      const plain = sealer.unseal(row.sealed, sealingContext(sealed, row.key));
      const at = sealer.keyedHashes(plain, purpose).findIndex((one) => one.equals(row.hash));
      return at === 0 ? 'newest' : at === 1 ? 'before' : 'neither';
    } catch (error) {
      if (error instanceof UnsealError) return 'neither';
      throw error;
    }
  }
}

async function rehashColumn(
  client: PoolClient,
  sealer: Pick<Sealer, 'rehash'>,
  column: HashedColumn,
): Promise<number> {
  const { table, key } = column;
  const same = key.map((one, at) => `t.${name(one.name)} = given.key_${at}::${one.type}`);
  const names = key.map((_, at) => `key_${at}`);
  const arrays = key.map((_, at) => `$${at + 2}::text[]`).join(', ');
  let done = 0;
  for await (const rows of batches<Row>(client, column, `${name(column.column)} as hash`)) {
    const { rowCount } = await client.query(
      `update ${name(table)} as t set ${name(column.column)} = given.fresh
       from unnest($1::bytea[], ${arrays}) as given (fresh, ${names.join(', ')})
       where ${same.join(' and ')}`,
      [
        rows.map(({ hash }) => sealer.rehash(hash)),
        ...key.map((_, at) => rows.map((row) => row.key[at])),
      ],
    );
    done += rowCount ?? 0;
  }
  return done;
}

/** Rows as they were when reading began: a cursor does not see what its own transaction changes meanwhile. */
async function* batches<T extends pg.QueryResultRow>(
  client: PoolClient,
  { table, column, key }: HashedColumn,
  columns: string,
): AsyncGenerator<T[]> {
  const keys = key.map((one) => `${name(one.name)}::text`).join(', ');
  await client.query(
    `declare rows no scroll cursor for select array[${keys}] as key, ${columns}
     from ${name(table)} where ${name(column)} is not null`,
  );
  for (;;) {
    const { rows } = await client.query<T>(`fetch ${HASH_BATCH} from rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < HASH_BATCH) break;
  }
  await client.query('close rows');
}

/** Connections of the service to this database, by the names that it gives them. */
export async function countServiceConnections(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ others: string }>(
    `select count(*) as others from pg_stat_activity
     where datname = current_database() and application_name in ('lale', 'lale jobs', 'lale listening')`,
  );
  return Number(rows[0]?.others);
}
