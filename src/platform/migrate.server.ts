import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runDrizzle } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as runGraphile } from 'graphile-worker';
import type { Pool } from 'pg';
import { openDatabase } from './database.server.ts';
import { jobLogger } from './job-log.server.ts';
import { projectRoot } from './root.server.ts';

/** Chosen once; every process that migrates takes turns on it. */
const LOCK = 7_160_001;

const MIGRATIONS = join(projectRoot, 'db', 'migrations');

/** Brings a database to the newest schema: ours and the job queue's. Processes that start together take turns. */
export async function migrate(target: string | Pool): Promise<void> {
  if (typeof target !== 'string') return migratePool(target);
  const { pool, close } = openDatabase(target, { poolSize: 3 });
  await migratePool(pool).finally(close);
}

async function migratePool(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await runDrizzle(drizzle({ client }), { migrationsFolder: MIGRATIONS });
    await runGraphile({ pgPool: pool, logger: jobLogger() });
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection that failed is closed, which also gives the lock back.
    client.release(failure);
  }
}
