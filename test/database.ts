import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject, expect } from 'vitest';
import {
  openDatabase,
  type OpenDatabase,
  type Queryable,
} from '../src/platform/postgres/database.server.ts';
import { sql } from 'drizzle-orm';

export type TestDatabase = Omit<OpenDatabase, 'close'> & { url: string };

/**
 * A database of its own for a test file, cloned from the migrated template and dropped afterwards. Call it at the top
 * of the file: `const { db } = await useDatabase()`.
 */
export async function useDatabase({
  poolSize = 10,
  // Long, as many tests ask at once on a busy machine; those about waiting say how long.
  waitMs = 60_000,
}: { poolSize?: number; waitMs?: number } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`create database ${name} template ${inject('template')} strategy file_copy`);
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const { db, pool, close } = openDatabase(url.href, { poolSize, waitMs });
  afterAll(async () => {
    await close();
    await dropDatabase(name);
  }, 30_000);
  return { db, pool, url: url.href };
}

/** A process of the server itself may use it for a moment; the tests' account cannot end that one. */
async function dropDatabase(name: string, attempts = 20): Promise<void> {
  try {
    await onServer(`drop database ${name} with (force)`);
  } catch (error) {
    const isBusy = error instanceof pg.DatabaseError && error.code === '42501';
    if (!isBusy || attempts === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await dropDatabase(name, attempts - 1);
  }
}

/** Runs a statement on the server of the tests, outside the databases of test files. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Resolves once a transaction waits for a lock that another holds, so that both overlap. */
export async function untilBlocked(db: Queryable): Promise<void> {
  const waiting = async () => {
    const { rows } = await db.execute<{ waiting: number }>(
      sql`select count(*)::int as waiting from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`,
    );
    return rows[0]?.waiting;
  };
  await expect.poll(waiting, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);
}
