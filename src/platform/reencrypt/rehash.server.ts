import pg, { type Pool, type PoolClient } from 'pg';
import { UnsealError, type Sealer } from '../crypto/crypto.server.ts';
import { contextOf, type SealedColumn } from './reencrypt-columns.server.ts';

/** A column of keyed hashes, and the columns that name a row. */
export type HashedColumn = Pick<SealedColumn, 'table' | 'column' | 'key'>;

/** A keyed hash with the sealed value that it is of in the same row, so that its look-up keys can be checked. */
export type HashBesideValue = { sealed: SealedColumn; hash: string; purpose: string };

/** How many hashes are by all look-up keys, by all but the newest, and by neither. */
export type Generations = { newest: number; before: number; neither: number };

export type Rehashed = Generations & { done: number };

const BATCH = 2000;
const name = pg.escapeIdentifier;

/**
 * Puts the newest look-up key on every keyed hash, in one transaction: interrupted, nothing of it was done. Only where
 * all hashes are by all keys but the newest. The service must not run: it would store hashes meanwhile, and a hash does
 * not say by which keys it was made.
 */
export async function rehashAll(
  pool: Pool,
  sealer: Pick<Sealer, 'rehash' | 'unseal' | 'keyedHashes'>,
  { telling, hashed }: { telling: readonly HashBesideValue[]; hashed: readonly HashedColumn[] },
): Promise<Rehashed> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const found: Rehashed = { newest: 0, before: 0, neither: 0, done: 0 };
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
      const plain = sealer.unseal(row.sealed, contextOf(sealed, row.key));
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
    const { rows } = await client.query<T>(`fetch ${BATCH} from rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) break;
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
