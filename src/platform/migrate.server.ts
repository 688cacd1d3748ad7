import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runDrizzle } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as runGraphile } from 'graphile-worker';
import pg from 'pg';
import { jobLogger } from './job-log.server.ts';
import { projectRoot } from './root.server.ts';

/** Chosen once; every process that migrates takes turns on it. */
const LOCK = 7_160_001;

const MIGRATIONS = join(projectRoot, 'db', 'migrations');

/** Brings a database to the newest schema: ours and the job queue's. Processes that start together take turns. */
export async function migrate(target: string | pg.Pool): Promise<void> {
  const pool =
    typeof target === 'string' ? new pg.Pool({ connectionString: target, max: 3 }) : target;
  try {
    const client = await pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [LOCK]);
      await runDrizzle(drizzle({ client }), { migrationsFolder: MIGRATIONS });
      await runGraphile({ pgPool: pool, logger: jobLogger() });
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  } finally {
    if (typeof target === 'string') await pool.end();
  }
}
