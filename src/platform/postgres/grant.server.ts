import pg, { type Pool, type PoolClient } from 'pg';

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
