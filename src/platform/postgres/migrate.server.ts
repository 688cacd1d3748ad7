import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runDrizzle } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as runGraphile } from 'graphile-worker';
import pg from 'pg';
import type { Pool, PoolClient } from 'pg';
import { ConfigError } from '../config/config-error.server.ts';
import { findDatabaseError } from '../log/database-error.server.ts';
import { openDatabase } from './database.server.ts';
import { jobLogger } from '../log/log.server.ts';
import { projectRoot } from '../config/root.server.ts';
import { parseServers } from '../config/database-address.ts';

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
    if (findDatabaseError(error)?.code === INSUFFICIENT_PRIVILEGE) throw refusal(mode, error);
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
    if (findDatabaseError(error)?.code === INSUFFICIENT_PRIVILEGE) return 'older';
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

const MIN_POSTGRES_VERSION = 15;

/**
 * Tries the configured database before anything else is built on it.
 * @throws ConfigError that names the server but not the password.
 */
export async function checkDatabase(pool: Pool, url: string): Promise<void> {
  const where = (parseServers(url) ?? []).map(({ name }) => name).join(', ');
  const refuse = (why: string) => new ConfigError([`DATABASE_URL: ${why}`]);
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    const { version = 0 } = rows[0] ?? {};
    const major = Math.floor(version / 10_000);
    if (major < MIN_POSTGRES_VERSION)
      throw refuse(`${where} is PostgreSQL ${major}; ${MIN_POSTGRES_VERSION} or newer is needed`);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refuse(`cannot connect to ${where} (${reason(error)})`);
  }
}

function reason(error: unknown): string {
  const { code, routine } = findDatabaseError(error) ?? {};
  if (code === '28P01' || code === '28000') return 'wrong account or password';
  if (code === '3D000') return 'there is no such database';
  if (code) return `${code} ${routine ?? ''}`.trim();
  // A name with several addresses fails with one error for all of them.
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  if (!(first instanceof Error)) return 'unknown';
  return 'code' in first ? String(first.code) : first.message;
}

/**
 * Lets a role run the service without owning anything: it reads and writes rows, but makes, changes and empties no
 * table. Tables that a trigger keeps append-only it may read and add to, nothing else. To be run by
 * the owner after every migration; run again it changes nothing.
 */
export async function grantService(pool: Pool, role: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(grants(pg.escapeIdentifier(role)));
    for (const table of await appendOnlyTables(client)) {
      await client.query(
        `revoke update, delete, truncate on ${table} from ${pg.escapeIdentifier(role)}`,
      );
    }
    await openJobs(client, role);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

const grants = (role: string): string => `
  grant usage on schema public, drizzle, graphile_worker to ${role};
  grant select on all tables in schema drizzle to ${role};
  grant select, insert, update, delete on all tables in schema public to ${role};
  grant usage, select on all sequences in schema public to ${role};
  grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
  grant usage, select on all sequences in schema graphile_worker to ${role};
  grant execute on all functions in schema public, graphile_worker to ${role};`;

/** Those whose rows a trigger refuses to change; the migration that makes such a trigger calls its function so. */
async function appendOnlyTables(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger
     join pg_proc on pg_proc.oid = tgfoid where proname = 'audit_refuse'`,
  );
  return rows.map(({ name }) => name);
}

/** The job queue keeps its rows from everybody but their owner, row by row. */
async function openJobs(client: PoolClient, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
       and not exists (select from pg_policy where polrelid = c.oid and polname = $1)`,
    [role],
  );
  const name = pg.escapeIdentifier(role);
  for (const { name: table } of rows) {
    await client.query(
      `create policy ${name} on ${table} to ${name} using (true) with check (true)`,
    );
  }
}
