import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from './database.server.ts';

export {
  startJobs,
  runDueJobs,
  type Jobs,
  type JobHandler,
  type JobHandlers,
  type Recurring,
} from './job-runner.server.ts';

export type EnqueueOptions = {
  /** Not before this moment of the database's clock; at once by default. */
  runAt?: Date;
  /** Of several waiting jobs with one key only the last stays. */
  key?: string;
  /** How often a failing job is tried, 25 by default: that is about four days. */
  maxAttempts?: number;
};

/** A job to be put into the queue. The payload is JSON and is kept in the clear: ids, no personal data. */
export type NewJob = { name: string; payload?: Record<string, unknown> } & EnqueueOptions;

/**
 * What puts a job into the queue, as part of a statement. Without a key it has one that no other job has: what the queue
 * does to keep one of several costs PostgreSQL three times as much as the rest of it, and finds nothing to keep.
 */
export const jobSql = ({ name, payload = {}, runAt, key, maxAttempts }: NewJob): SQL =>
  sql`graphile_worker.add_job(
    identifier => ${name}::text,
    payload => ${JSON.stringify(payload)}::json,
    run_at => ${runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::int,
    job_key => ${key ?? randomUUID()}::text,
    job_key_mode => ${key === undefined ? 'unsafe_dedupe' : 'replace'}::text
  )`;

/**
 * Puts a job into the queue as part of the caller's transaction: after a rollback there is none. A job may run more
 * than once, so its handler has to bear repetition.
 */
export async function enqueue(
  tx: Queryable,
  name: string,
  payload: Record<string, unknown> = {},
  options: EnqueueOptions = {},
): Promise<void> {
  await tx.execute(sql`select ${jobSql({ name, payload, ...options })}`);
}

/** Jobs in the queue, and those of them that failed at least once. */
export async function countJobs(db: Queryable): Promise<{ waiting: number; failed: number }> {
  const { rows } = await db.execute<{ waiting: number; failed: number }>(sql`
    select count(*)::int as waiting, (count(*) filter (where attempts > 0 and last_error is not null))::int as failed
    from graphile_worker.jobs`);
  return rows[0] ?? { waiting: 0, failed: 0 };
}
