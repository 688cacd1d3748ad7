import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from './log.server.ts';

export type Database = NodePgDatabase;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** Where a statement may run: inside a transaction or on its own. */
export type Queryable = Database | Transaction;

export type OpenDatabase = { db: Database; pool: pg.Pool; close(): Promise<void> };

export type DatabaseOptions = { poolSize?: number; log?: Log };

/**
 * Opens a pool on a PostgreSQL address. TLS is asked for in the address itself (`sslmode=verify-full`).
 * A lost idle connection is noted and replaced, never fatal.
 */
export function openDatabase(
  url: string,
  { poolSize = 20, log }: DatabaseOptions = {},
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  let closing: Promise<void> | undefined;
  pool.on('error', (err) => closing ?? log?.warn({ err }, 'database connection lost'));
  // Without a listener, a connection that breaks between two statements of a transaction ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: drizzle({ client: pool }), pool, close: () => (closing ??= pool.end()) };
}

/** Whether the database answers. */
export async function isReachable(db: Queryable): Promise<boolean> {
  try {
    await db.execute(sql`select 1`);
    return true;
  } catch {
    return false;
  }
}
