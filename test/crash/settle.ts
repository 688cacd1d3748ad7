import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Rows } from './ledger.ts';

/** Milliseconds; it ends as soon as everything is settled, which takes a while on a busy machine. */
const PATIENCE_MS = 20 * 60_000;
/** Longer than a payment may stay undecided (`sweep.server.ts`). */
const DAY = `interval '25 hours'`;
const OPEN = `state in ('created', 'redirected', 'pending', 'authorised')`;

const SWEEPING = `select 1 from graphile_worker.jobs where key = 'crash:sweep'`;

/** What is still in progress, by name. */
const unsettled = {
  // A job that was replaced by another one of its key while it ran has no tries left and no error: it has ended.
  jobs: `select 1 from graphile_worker.jobs
    where not (locked_at is null and attempts >= max_attempts and last_error is null)
      and (locked_at is not null or attempts > 0 or run_at <= now() + interval '1 hour')`,
  refunds: `select 1 from payment_refund where state in ('requested', 'sent', 'pending')`,
  'late captures': `select 1 from payment_attempt where state = 'captured_late'`,
};

/**
 * Lets sweep and jobs run until everything is settled. Instead of waiting, what would be due later is made due now, and
 * at the end payments that were begun and abandoned become a day older. Returns what does not settle, or null.
 */
export async function settle(ledger: Rows, theirs: Pool): Promise<string | null> {
  const deadline = Date.now() + PATIENCE_MS;
  const count = async (query: string) => (await ledger.rows(query)).length;
  let hasAged = false;
  let left: string | null = null;
  while (Date.now() < deadline) {
    await hurry(ledger, theirs);
    // A sweep asks about every undecided payment: on a busy machine it takes longer than the pause.
    do await sleep(2000);
    while (Date.now() < deadline && (await count(SWEEPING)) > 0);
    const moving: string[] = [];
    for (const [name, query] of Object.entries(unsettled)) {
      const found = await count(query);
      if (found > 0) moving.push(`${found} ${name}`);
    }
    const undelivered = (await theirs.query(unsettled.jobs)).rows.length;
    if (undelivered > 0) moving.push(`${undelivered} notifications of the partners`);
    const undecided = await count(`select 1 from payment_attempt where ${OPEN}`);
    if (moving.length === 0 && undecided === 0) return null;
    left = [...moving, `${undecided} undecided payments`].join(', ');
    if (moving.length > 0 || hasAged) continue;
    hasAged = true;
    // The providers have been asked by now. Captured payments are paid, so this cannot hide a lost one.
    await ledger.rows(`update payment_attempt set created_at = created_at - ${DAY} where ${OPEN}`);
  }
  return left;
}

async function hurry(ledger: Rows, theirs: Pool): Promise<void> {
  await ledger.rows('update payment_attempt set ask_at = now() where ask_at > now()');
  await ledger.rows('update payment_refund set ask_at = now() where ask_at > now()');
  // An email claimed by a dead process is free after ten minutes.
  await ledger.rows(
    `update email set claimed_at = claimed_at - interval '11 minutes'
     where sent_at is null and claimed_at between now() - interval '11 minutes' and now() - interval '5 seconds'`,
  );
  await ledger.rows(`select graphile_worker.add_job('payment.sweep', job_key => 'crash:sweep')`);
  await ledger.rows(failedJobsNow);
  await theirs.query(failedJobsNow);
}

/** Not too often, so that tries do not run out while something else is still in progress. */
const failedJobsNow = `update graphile_worker._private_jobs set run_at = now()
  where attempts between 1 and 15 and locked_at is null and run_at > now()`;
