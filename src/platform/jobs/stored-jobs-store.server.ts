import type { Pool } from 'pg';
import { storedJob } from '../postgres/tables.server.ts';
import { rowOf, type NewRow } from '../postgres/store-together.server.ts';

/** The most jobs that one statement moves. */
const AT_ONCE = 500;

/**
 * A job to be stored together with other rows; a job runner moves it to the queue four times a second. The
 * queue's own function announces each job, and a transaction that announces something has to wait at its end for all others that
 * do (PostgreSQL holds one lock for the whole database): that would be a fifth of what storing an application costs.
 */
export const jobRow = (name: string, payload: Record<string, unknown>): NewRow =>
  rowOf(storedJob, { name, payload });

/**
 * Moves stored jobs to the queue, all of them or none, the oldest first. Several processes may do so at a time: each
 * takes what no other has taken.
 * @returns How many were moved.
 */
export async function moveStoredJobs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ moved: number }>({ name: 'move-stored-jobs', text: MOVE });
  return rows[0]?.moved ?? 0;
}

// Without jobs `add_jobs` is not called: it announces even none.
const MOVE = `
  with taken as (
    delete from stored_job where id in (
      select id from stored_job order by id limit ${AT_ONCE} for update skip locked
    ) returning id, name, payload
  ), specs as (
    select array_agg(
      row(name, payload, null, null, null, null, null, null)::graphile_worker.job_spec order by id
    ) as list
    from taken having count(*) > 0
  )
  select count(*)::int as moved from specs, graphile_worker.add_jobs(specs.list)`;
