import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runDrizzle } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as runGraphile } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
import { ConfigError } from '../config/config-error.server.ts';
import { databaseErrorOf } from '../log/database-error.server.ts';
import { openDatabase } from './database.server.ts';
import { jobLogger } from '../log/job-log.server.ts';
import { projectRoot } from '../config/root.server.ts';

/** The key of the advisory lock that processes take to migrate one after the other. */
const LOCK = 7_160_001;

/** PostgreSQL's own code. */
const INSUFFICIENT_PRIVILEGE = '42501';

const MIGRATIONS = join(projectRoot, 'db', 'migrations');
const SIMULATED_PARTNERS = join(projectRoot, 'db', 'simulated-partners.sql');

/**
 * Brings a database to the newest schema: ours and the job queue's, in test mode also the simulated partners'. Processes
 * that start together take turns. Where the schema is up to date nothing is asked for that only its owner may do.
 * @throws ConfigError where it is not, and the account may not change it; where a build before the first release made it.
 */
export async function migrate(
  target: string | Pool,
  mode: 'test' | 'live' = 'live',
): Promise<void> {
  if (typeof target !== 'string') return migratePool(target, mode);
  const { pool, close } = openDatabase(target, { poolSize: 3 });
  await migratePool(pool, mode).finally(close);
}

async function migratePool(pool: Pool, mode: 'test' | 'live'): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    if (!(await isCurrent(client))) {
      await runDrizzle(drizzle({ client }), { migrationsFolder: MIGRATIONS });
    }
    if (mode === 'test' && !(await hasTable(client, 'simulated_document'))) {
      await client.query(await readFile(SIMULATED_PARTNERS, 'utf8'));
    }
    await runGraphile({ pgPool: pool, logger: jobLogger() });
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    if (databaseErrorOf(error)?.code === INSUFFICIENT_PRIVILEGE) throw refusal(mode, error);
    throw error;
  } finally {
    // A connection that failed is closed, which also gives the lock back.
    client.release(failure);
  }
}

/**
 * Whether every migration of ours has run; by the moment of the newest, as the migrator itself decides.
 * @throws ConfigError where the schema does not begin with our first migration.
 */
async function isCurrent(client: PoolClient): Promise<boolean> {
  if (!(await hasTable(client, 'drizzle.__drizzle_migrations'))) return false;
  const { rows } = await client.query<{ oldest: string | null; newest: string | null }>(
    'select min(created_at) as oldest, max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  const { oldest = null, newest = null } = rows[0] ?? {};
  if (oldest === null || newest === null) return false;
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(
    (each) => each.folderMillis,
  );
  if (Number(oldest) !== known[0]) throw new ConfigError([UNRELEASED]);
  return Number(newest) >= (known.at(-1) ?? 0);
}

async function hasTable(client: PoolClient, table: string): Promise<boolean> {
  const { rows } = await client.query<{ name: string | null }>('select to_regclass($1) as name', [
    table,
  ]);
  return rows[0]?.name !== null;
}

/**
 * Whether a database has the schema of this release; asks only, and changes nothing.
 * @throws ConfigError where a build before the first release made it.
 */
export async function schemaState(pool: Pool): Promise<'current' | 'older'> {
  const client = await pool.connect();
  try {
    return (await isCurrent(client)) ? 'current' : 'older';
  } catch (error) {
    // The account may not read which migrations have run: the owner has not granted it access.
    if (databaseErrorOf(error)?.code === INSUFFICIENT_PRIVILEGE) return 'older';
    throw error;
  } finally {
    client.release();
  }
}

const UNRELEASED =
  'DATABASE_URL, DATA_DIR: this database was made by a build before the first release and cannot be migrated; start with an empty database, or an empty data folder';

const refusal = (mode: 'test' | 'live', cause: unknown): ConfigError =>
  Object.assign(
    new ConfigError([
      `DATABASE_URL: the schema is missing or older than this release, and this account may not change it; run "${mode === 'test' ? 'MODE=test ' : ''}npm run lale -- migrate <this account>" with the address of its owner`,
    ]),
    { cause },
  );
