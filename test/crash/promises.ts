import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './books.ts';
import type { ServiceProcess } from './driver.ts';

/**
 * Moves the promises of paid e-visas around this moment, as if the clock had been moved: half of them have passed by now.
 * Of those that staff have not decided some wait for their traveller, or were decided, a minute before or after.
 */
async function movePromises(ledger: Ledger): Promise<void> {
  const paid = `kind = 'visa' and paid_at is not null`;
  await ledger.rows(
    `update application set promised_at = now()
       + (case when random() < 0.5 then -1 else 1 end) * (interval '5 minutes' + random() * interval '20 hours')
     where ${paid}`,
  );
  await ledger.rows(
    `with fate as (
       select id, floor(random() * 8) as way,
         promised_at + (case when random() < 0.5 then -1 else 1 end) * interval '1 minute' as at
       from application where ${paid} and status = 'pending' and promised_at < now())
     update application a set status = case when way = 0 then 'approved' else a.status end,
       decided_at = case when way = 0 then fate.at end,
       paused_at = case when way = 1 then fate.at end
     from fate where a.id = fate.id`,
  );
}

const JOB = `select graphile_worker.add_job('application.refund_missed_promises', job_key => 'crash:promises')`;

/** Lets the service refund missed promises, and kills it or its database meanwhile. */
export async function missPromises(
  { ledger, victim, random }: { ledger: Ledger; victim: ServiceProcess; random: () => number },
  kills: number,
): Promise<void> {
  await movePromises(ledger);
  for (let kill = 0; kill < kills; kill += 1) {
    await ledger.rows(JOB);
    await sleep(random() * 3000);
    await victim.kill(kill % 2 === 0 ? 'service' : 'database');
    await victim.revive();
  }
  await ledger.rows(JOB);
}
