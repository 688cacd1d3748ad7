import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../postgres/database.server.ts';
import { KnownText } from '../postgres/statement-text.server.ts';

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

/** How many values `jobText` names. */
export const JOB_PARAMS = 6;

/** What puts a job into the queue, as part of a statement; `at` names the values of `jobParams` in it (`$1`, …). */
export const jobText = (at: readonly string[]): string => `graphile_worker.add_job(
    identifier => ${at[0]}::text,
    payload => ${at[1]}::json,
    run_at => ${at[2]}::timestamptz,
    max_attempts => ${at[3]}::int,
    job_key => ${at[4]}::text,
    job_key_mode => ${at[5]}::text
  )`;

/**
 * Without a key a job has one that no other job has: what the queue does to keep one of several costs PostgreSQL three
 * times as much as the rest of it, and finds nothing to keep.
 */
export const jobParams = ({ name, payload = {}, runAt, key, maxAttempts }: NewJob): unknown[] => [
  name,
  JSON.stringify(payload),
  runAt?.toISOString() ?? null,
  maxAttempts ?? null,
  key ?? randomUUID(),
  key === undefined ? 'unsafe_dedupe' : 'replace',
];

const ENQUEUE = `select ${jobText(['$1', '$2', '$3', '$4', '$5', '$6'])}`;

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
  const params = jobParams({ name, payload, ...options });
  await tx.execute(new KnownText(ENQUEUE, params));
}

/** Jobs in the queue, and those of them that failed at least once. */
export async function countJobs(db: Queryable): Promise<{ waiting: number; failed: number }> {
  const { rows } = await db.execute<{ waiting: number; failed: number }>(sql`
    select count(*)::int as waiting, (count(*) filter (where attempts > 0 and last_error is not null))::int as failed
    from graphile_worker.jobs`);
  return rows[0] ?? { waiting: 0, failed: 0 };
}
