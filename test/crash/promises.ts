import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Ledger } from './books.ts';
import type { ServiceProcess } from './driver.ts';
import type { Purchase } from './purchase.ts';

type Rows = Ledger['rows'];

/** Stores copies of a table's rows, numbered `i`, with these expressions in place of columns. */
async function copyRows(
  rows: Rows,
  table: string,
  { where, copies, changes }: { where: string; copies: number; changes: Record<string, string> },
): Promise<void> {
  const columns = await rows<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  await rows(
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => changes[name] ?? `t.${name}`).join(', ')}
     from ${table} t, generate_series(1, ${copies}) i where ${where}`,
  );
}

/** Copies one traveller's order, paid by card, in our books and in the partner's: paying a thousand times takes hours. */
export async function copyOrder(ledger: Ledger, theirs: Pool, copies: number): Promise<Purchase[]> {
  const rows: Rows = (query, values) => ledger.rows(query, values);
  const [found] = await rows<{ number: string; attempt: string; id: string; application: string }>(
    `select o.number, p.id as attempt, o.id, a.id as application from purchase_order o
       join payment_attempt p on p.id = o.paid_by join application a on a.order_number = o.number
       join email e on e.occasion = 'received:' || o.number and e.sent_at is not null
     where a.number = o.number and a.kind = 'visa' and a.status = 'pending' and p.provider = 'card'
       and p.claimed_minor = 0 limit 1`,
  );
  if (!found) throw new Error('Nobody has paid by card');
  const id = (what: string) => `md5('${what}' || i)::uuid`;
  const number = `'TRV' || lpad(i::text, 13, '0')`;
  const capture = `'copy-' || i`;
  const copy = (table: string, where: string, changes: Record<string, string>) =>
    copyRows(rows, table, { where, copies, changes });
  const attempt = { id: id('attempt'), reference: number, provider_reference: capture };
  await copy('payment_attempt', `t.id = '${found.attempt}'`, { ...attempt, capture_id: capture });
  const order = { id: id('order'), number, paid_by: id('attempt') };
  await copy('purchase_order', `t.id = '${found.id}'`, order);
  const line = { order_id: id('order'), application_number: number };
  const lineId = `md5('line' || i || '/' || t.position)::uuid`;
  await copy('order_line', `t.order_id = '${found.id}'`, { ...line, id: lineId });
  const application = { id: id('application'), number, order_number: number };
  await copy('application', `t.id = '${found.application}'`, application);
  const answers = { application_id: id('application') };
  await copy('visa_application', `t.application_id = '${found.application}'`, answers);
  const serial = `(select last from receipt_counter c where c.kind = t.kind and c.year = t.year) + i`;
  const receipt = { id: id('receipt'), order_id: id('order'), serial };
  await copy('order_receipt', `t.order_id = '${found.id}' and t.kind = 'receipt'`, receipt);
  await rows(`update receipt_counter set last = last + ${copies} where kind = 'receipt'`);
  const email = { id: id('email'), occasion: `'received:' || ${number}`, subject: number };
  await copy('email', `t.occasion = 'received:${found.number}'`, { ...email, message_id: 'null' });

  const body = `t.body || jsonb_build_object('id', ${capture}, 'orderRef', ${id('attempt')}, 'captureId', ${capture})`;
  const transaction = `t.kind = 'transaction' and t.id = '${found.attempt}'`;
  await copyRows(
    async (query, values) => (await theirs.query(query, values)).rows,
    'simulated_document',
    { where: transaction, copies, changes: { id: `${id('attempt')}::text`, body } },
  );
  return Array.from({ length: copies }, (_, index) => {
    const own = `TRV${String(index + 1).padStart(13, '0')}`;
    return { number: own, applications: [own], paid: true, refund: null };
  });
}

/**
 * Moves the promises of paid e-visas around this moment, as if the clock had been moved: half of them have passed by now,
 * and none passes within the hour that the drill may take.
 * Of those that staff have not decided some wait for their traveller, or were decided, a minute before or after.
 */
async function movePromises(ledger: Ledger): Promise<void> {
  const paid = `kind = 'visa' and paid_at is not null`;
  await ledger.rows(
    `update application set promised_at = now()
       + (case when random() < 0.5 then -1 else 1 end) * (interval '1 hour' + random() * interval '20 hours')
     where ${paid}`,
  );
  await ledger.rows(
    `with fate as materialized (
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
