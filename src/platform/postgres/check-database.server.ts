import type { Pool } from 'pg';
import { ConfigError } from '../config/config-error.server.ts';
import { databaseErrorOf } from '../log/database-error.server.ts';
import { serversOf } from '../config/database-address.ts';

const OLDEST = 15;

/**
 * Tries the configured database before anything else is built on it.
 * @throws ConfigError that names the server but not the password.
 */
export async function checkDatabase(pool: Pool, url: string): Promise<void> {
  const where = (serversOf(url) ?? []).map(({ name }) => name).join(', ');
  const refuse = (why: string) => new ConfigError([`DATABASE_URL: ${why}`]);
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    const { version = 0 } = rows[0] ?? {};
    const major = Math.floor(version / 10_000);
    if (major < OLDEST)
      throw refuse(`${where} is PostgreSQL ${major}; ${OLDEST} or newer is needed`);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refuse(`cannot connect to ${where} (${reason(error)})`);
  }
}

function reason(error: unknown): string {
  const { code, routine } = databaseErrorOf(error) ?? {};
  if (code === '28P01' || code === '28000') return 'wrong account or password';
  if (code === '3D000') return 'there is no such database';
  if (code) return `${code} ${routine ?? ''}`.trim();
  // A name with several addresses fails with one error for all of them.
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  if (!(first instanceof Error)) return 'unknown';
  return 'code' in first ? String(first.code) : first.message;
}
