import { sql } from 'drizzle-orm';
import type { Database } from '../../src/platform/postgres/database.server.ts';

/** The contents of the database, as one hash for each table, to show that nothing has changed. */
export async function databaseState(
  db: Database,
): Promise<(readonly [table: string, hash: string])[]> {
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const hashes = tables.rows.map(
    ({ name }) => sql`select ${name}::text as name,
      md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash
      from ${sql.identifier(name)} t`,
  );
  const { rows } = await db.execute<{ name: string; hash: string }>(
    sql.join(hashes, sql` union all `),
  );
  return rows.map(({ name, hash }) => [name, hash] as const).toSorted();
}
