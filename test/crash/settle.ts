import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Rows } from './ledger.ts';

/** It ends as soon as all is at rest; on a busy machine that takes a while. */
const PATIENCE_MS = 20 * 60_000;
/** Longer than a payment may stay undecided (`sweep.server.ts`). */
const DAY = `interval '25 hours'`;
const OPEN = `state in ('created', 'redirected', 'pending', 'authorised')`;

/** What still moves by itself, by name. */
const restless = {
  // A job that another one of its key has replaced while it ran has no tries left and no error: it is over.
  jobs: `select 1 from graphile_worker.jobs
    where not (locked_at is null and attempts >= max_attempts and last_error is null)
      and (locked_at is not null or attempts > 0 or run_at <= now() + interval '1 hour')`,
  refunds: `select 1 from payment_refund where state in ('requested', 'sent', 'pending')`,
  'late captures': `select 1 from payment_attempt where state = 'captured_late'`,
};

/**
 * Lets sweep and jobs run until all is at rest. Waiting is skipped: what would be due later is made due now, and in the
 * end a day passes for payments that were begun and left lying. Answers what does not come to rest, null where all does.
 */
export async function settle(ledger: Rows, theirs: Pool): Promise<string | null> {
  const deadline = Date.now() + PATIENCE_MS;
  const count = async (query: string) => (await ledger.rows(query)).length;
  let hasAged = false;
  let left: string | null = null;
  while (Date.now() < deadline) {
    await hurry(ledger, theirs);
    await sleep(2000);
    const moving: string[] = [];
    for (const [name, query] of Object.entries(restless)) {
      const found = await count(query);
      if (found > 0) moving.push(`${found} ${name}`);
    }
    const untold = (await theirs.query(restless.jobs)).rows.length;
    if (untold > 0) moving.push(`${untold} words of the partners`);
    const undecided = await count(`select 1 from payment_attempt where ${OPEN}`);
    if (moving.length === 0 && undecided === 0) return null;
    left = [...moving, `${undecided} undecided payments`].join(', ');
    if (moving.length > 0 || hasAged) continue;
    hasAged = true;
    // Partners have been asked by now. Whatever was captured is paid, so that this cannot hide a lost payment.
    await ledger.rows(`update payment_attempt set created_at = created_at - ${DAY} where ${OPEN}`);
  }
  return left;
}

async function hurry(ledger: Rows, theirs: Pool): Promise<void> {
  await ledger.rows('update payment_attempt set ask_at = now() where ask_at > now()');
  await ledger.rows('update payment_refund set ask_at = now() where ask_at > now()');
  // An e-mail that a dead process had begun to send is free after ten minutes.
  await ledger.rows(
    `update email set claimed_at = claimed_at - interval '11 minutes'
     where sent_at is null and claimed_at between now() - interval '11 minutes' and now() - interval '5 seconds'`,
  );
  await ledger.rows(`select graphile_worker.add_job('payment.sweep', job_key => 'crash:sweep')`);
  await ledger.rows(failedJobsNow);
  await theirs.query(failedJobsNow);
}

/** Not all too often, lest their tries run out while something else is still on its way. */
const failedJobsNow = `update graphile_worker._private_jobs set run_at = now()
  where attempts between 1 and 15 and locked_at is null and run_at > now()`;
