import { and, count, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Closure } from '~/base/dates/closures.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/** The number of paid, undecided applications promised for a moment on these days (UTC). */
export async function countPromisedWithin(db: Queryable, { from, to }: Closure): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(application)
    .where(
      and(
        // The queue's index begins with the kind. A paused application has no promised moment.
        inArray(application.kind, ['visa', 'insurance']),
        isWaitingSql(application),
        gte(application.promisedAt, sql`${from}::date at time zone 'UTC'`),
        lt(application.promisedAt, sql`(${to}::date + 1) at time zone 'UTC'`),
      ),
    );
  return row?.count ?? 0;
}
