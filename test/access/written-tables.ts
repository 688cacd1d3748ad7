import type pg from 'pg';

const statements = new WeakMap<pg.Pool, string>();

/**
 * The state of each table as one text, to show that nothing has changed: the number of its rows, the latest transaction
 * that wrote one, and the sum over all rows of the transaction that wrote each. Hashing all rows took ten times as
 * long.
 */
export async function databaseState(
  pool: pg.Pool,
): Promise<(readonly [table: string, state: string])[]> {
  const text = statements.get(pool) ?? (await statementFor(pool));
  statements.set(pool, text);
  // With a name, so that it is planned once.
  const { rows } = await pool.query<{ name: string; state: string }>({
    name: 'database_state',
    text,
  });
  return rows.map(({ name, state }) => [name, state] as const).toSorted();
}

async function statementFor(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ statement: string }>(
    `select string_agg(
       format('select %L as name, count(*) || '' '' || coalesce(max(xmin::text::bigint), 0) || '' '' || coalesce(sum(xmin::text::bigint), 0) as state from %I', table_name, table_name),
       ' union all ') as statement
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const [found] = rows;
  if (!found) throw new Error('The database has no tables');
  return found.statement;
}
