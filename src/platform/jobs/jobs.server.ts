import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../postgres/database.server.ts';
import { KnownText } from '../postgres/statements.server.ts';

export {
  startJobs,
  runDueJobs,
  type Jobs,
  type JobHandler,
  type JobHandlers,
  type Recurring,
} from './job-runner.server.ts';

type EnqueueOptions = {
  /** Not before this moment of the database's clock; at once by default. */
  runAt?: Date;
  /** Not before so many milliseconds from now, by the database's clock. */
  delayMs?: number;
  /** Of several waiting jobs with one key only the last stays. */
  key?: string;
  /** How often a failing job is tried, 25 by default: that is about four days. */
  maxAttempts?: number;
};

const ENQUEUE = `select graphile_worker.add_job(
  identifier => $1::text,
  payload => $2::json,
  run_at => coalesce($3::timestamptz, now() + $7::int * interval '1 millisecond'),
  max_attempts => $4::int,
  job_key => $5::text,
  job_key_mode => $6::text
)`;

/**
 * Puts a job into the queue as part of the caller's transaction: after a rollback there is none. A job may run more
 * than once, so its handler has to bear repetition. The payload is JSON and is kept in the clear: ids, no personal data.
 */
export async function enqueue(
  tx: Queryable,
  name: string,
  payload: Record<string, unknown> = {},
  options: EnqueueOptions = {},
): Promise<void> {
  const { runAt, delayMs, key, maxAttempts } = options;
  const params = [
    name,
    JSON.stringify(payload),
    runAt?.toISOString() ?? null,
    maxAttempts ?? null,
    // Without a key a job has one that no other job has: what the queue does to keep one of several costs PostgreSQL
    // three times as much as the rest of it, and finds nothing to keep.
    key ?? randomUUID(),
    key === undefined ? 'unsafe_dedupe' : 'replace',
    delayMs ?? null,
  ];
  await tx.execute(new KnownText(ENQUEUE, params));
}

/** Jobs in the queue, and those of them that failed at least once. */
export async function countJobs(db: Queryable): Promise<{ waiting: number; failed: number }> {
  const { rows } = await db.execute<{ waiting: number; failed: number }>(sql`
    select count(*)::int as waiting, (count(*) filter (where attempts > 0 and last_error is not null))::int as failed
    from graphile_worker.jobs`);
  return rows[0] ?? { waiting: 0, failed: 0 };
}
