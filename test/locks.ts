import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Queryable } from '../src/platform/postgres/database.server.ts';

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
