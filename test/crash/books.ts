import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Pool, QueryResultRow } from 'pg';
import { z } from 'zod';
import { parseMoney, usd } from '~/base/money.ts';
import { markedRefund } from '~/features/payment/providers/paypal-order.ts';

/** Milliseconds in which a killed database must come back, on a busy machine. */
const PATIENCE_MS = 5 * 60_000;
/** Milliseconds to wait for an event about a payment; one that came too late is not stored. */
const COMMIT_MS = 10_000;

const access = z.looseObject({ port: z.number(), servicePassword: z.string() });

/** Reads the service's own database, retrying while it is down. */
export type Rows = Pick<Ledger, 'rows'>;

/** The service's own database, read beside it. It is killed now and then, so failures are retried. */
export class Ledger {
  readonly #dataDir: string;
  #pool: pg.Pool | undefined;
  #port = 0;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async rows<T extends pg.QueryResultRow>(query: string, values: unknown[] = []): Promise<T[]> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await this.#open().query<T>(query, values)).rows;
      } catch (error) {
        const isConnection =
          !(error instanceof pg.DatabaseError) || /^(57|08|53)/.test(error.code ?? '');
        if (!isConnection || Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  /** Resolves once an event about this attempt has changed it; rejects when that takes too long. */
  async committed(attemptId: string): Promise<void> {
    const deadline = Date.now() + COMMIT_MS;
    while (Date.now() < deadline) {
      const found = await this.rows(
        `select 1 from payment_event where attempt_id = $1 and result = 'moved' and event <> 'refund'`,
        [attemptId],
      );
      if (found.length > 0) return;
      await sleep(2);
    }
    throw new Error(`Nothing was committed about ${attemptId}`);
  }

  async close(): Promise<void> {
    await this.#pool?.end();
  }

  #open(): pg.Pool {
    const file: unknown = JSON.parse(
      readFileSync(join(this.#dataDir, 'postgres', 'access.json'), 'utf8'),
    );
    const { port, servicePassword } = access.parse(file);
    if (this.#pool && port === this.#port) return this.#pool;
    void this.#pool?.end().catch(() => undefined);
    this.#port = port;
    const pool = new pg.Pool({
      host: '127.0.0.1',
      port,
      user: 'service',
      password: servicePassword,
      database: 'service',
      max: 4,
    });
    pool.on('error', () => undefined);
    this.#pool = pool;
    return pool;
  }
}

export type Attempt = {
  id: string;
  reference: string;
  provider: string;
  state: string;
  amount: number;
  captureId: string | null;
  refunded: number;
  claimed: number;
  isCompleted: boolean;
};
export type Order = {
  id: string;
  number: string;
  amount: number;
  /** The sum of its lines. */
  lines: number | null;
  paidBy: string | null;
};
export type Refund = { id: string; attemptId: string; amount: number; state: string };
export type Receipt = {
  kind: string;
  year: number;
  serial: number;
  orderId: string;
  refundId: string | null;
};

/** What the service has stored. Amounts are in cents. */
export type ServiceBooks = {
  applications: {
    number: string;
    kind: 'visa' | 'insurance';
    orderNumber: string;
    isWhole: boolean;
    isPromised: boolean;
    /** Its promised moment has passed, undelivered, and not while its traveller was waited for. */
    isMissed: boolean;
    /** What was not refunded of its processing price; null for an insurance. */
    processing: number | null;
    /** Refunds because of its missed promise. */
    missedRefunds: number;
    /** Part of a paid order; those rejected before the payment are not. */
    isPaid: boolean;
    status: string;
  }[];
  attempts: Attempt[];
  orders: Order[];
  refunds: Refund[];
  /** Orders' completed refunds: each has a credit note. */
  refundedOrders: string[];
  receipts: Receipt[];
  counters: { kind: string; year: number; last: number }[];
  alerts: Record<string, number>;
  /** E-mails, and whether they were sent. */
  emails: { occasion: string; isSent: boolean }[];
};

export async function readOurs(ledger: Rows): Promise<ServiceBooks> {
  const rows = <T extends QueryResultRow>(query: string) => ledger.rows<T>(query);
  const alerts = await rows<{ kind: string; n: number }>(
    'select kind, count(*)::int as n from payment_alert group by kind',
  );
  return {
    applications: await rows(
      `select a.number, a.kind, a.order_number as "orderNumber", a.status,
         o.id is not null and (v.application_id is not null or i.application_id is not null) as "isWhole",
         a.promised_at is not null as "isPromised",
         coalesce(least(now(), case when a.undelivered_since is null then coalesce(a.decided_at, a.paused_at) end)
           > a.promised_at, false) as "isMissed",
         (select l.amount_minor - coalesce(sum(r.amount_minor), 0)::int from order_line l
           left join (order_refund_line r join payment_refund p on p.id = r.refund_id and p.state = 'completed')
             on r.order_line_id = l.id
           where l.application_number = a.number and l.code = 'processing_fee' group by l.id) as processing,
         (select count(*)::int from order_refund r
           where r.cause = 'missed_promise' and a.number = any(r.application_numbers)) as "missedRefunds",
         o.paid_at is not null and exists (select 1 from order_line l where l.application_number = a.number) as "isPaid"
       from application a left join purchase_order o on o.number = a.order_number
       left join visa_application v on v.application_id = a.id
       left join insurance_application i on i.application_id = a.id`,
    ),
    attempts: await rows(
      `select id, reference, provider, state, amount_minor as amount, capture_id as "captureId",
         refunded_minor as refunded, claimed_minor as claimed, completed_at is not null as "isCompleted"
       from payment_attempt`,
    ),
    orders: await rows(
      `select id, number, amount_minor as amount, paid_by as "paidBy",
         (select sum(l.amount_minor)::int from order_line l where l.order_id = o.id) as lines
       from purchase_order o`,
    ),
    refunds: await rows(
      'select id, attempt_id as "attemptId", amount_minor as amount, state from payment_refund',
    ),
    refundedOrders: (
      await rows<{ id: string }>('select id from order_refund where completed_at is not null')
    ).map(({ id }) => id),
    receipts: await rows(
      'select kind, year, serial, order_id as "orderId", refund_id as "refundId" from order_receipt',
    ),
    counters: await rows('select kind, year, last from receipt_counter'),
    emails: await rows('select occasion, sent_at is not null as "isSent" from email'),
    alerts: Object.fromEntries(alerts.map(({ kind, n }) => [kind, n])),
  };
}

/** What the providers have done. Amounts are in cents. */
export type ProvidersBooks = {
  captures: { provider: string; id: string; attemptId: string; amount: number }[];
  /** Completed refunds; `refundId` is our id. */
  refunds: { captureId: string; refundId: string | null; amount: number; isDone: boolean }[];
};

export async function readTheirs(pool: Pool): Promise<ProvidersBooks> {
  const cards = await pool.query<{
    attemptId: string;
    id: string;
    value: string;
    refunds: Record<string, number>;
    states: Record<string, string>;
  }>(
    `select body->>'orderRef' as "attemptId", body->>'captureId' as id, body->>'amount' as value,
       body->'refunds' as refunds, body->'refundStates' as states
     from simulated_document where kind = 'transaction' and body->>'status' = 'completed'`,
  );
  const paypal = await pool.query<{ attemptId: string; id: string; value: string }>(
    `select body->>'customId' as "attemptId", id, body->>'value' as value from simulated_document
     where kind = 'capture' and body->>'status' not in ('PENDING', 'DECLINED')`,
  );
  const back = await pool.query<{
    captureId: string;
    mark: string;
    value: string;
    status: string;
  }>(`select body->>'captureId' as "captureId", body->>'customId' as mark, body->>'value' as value, body->>'status' as status
     from simulated_document where partner = 'paypal' and kind = 'refund'`);
  return {
    captures: [
      ...cards.rows.map((row) => ({ ...row, provider: 'card', amount: minor(row.value) })),
      ...paypal.rows.map((row) => ({ ...row, provider: 'paypal', amount: minor(row.value) })),
    ],
    refunds: [
      ...cards.rows.flatMap(({ id, refunds, states }) =>
        Object.entries(refunds).map(([refundId, amount]) => ({
          captureId: id,
          refundId,
          amount,
          isDone: states[refundId] === undefined,
        })),
      ),
      ...back.rows.map(({ captureId, mark, value, status }) => ({
        captureId,
        refundId: markedRefund(mark),
        amount: minor(value),
        isDone: status === 'COMPLETED',
      })),
    ],
  };
}

const minor = (value: string) => (parseMoney(value) ?? usd(0)).minor;

/** Milliseconds; it ends as soon as everything is settled, which takes a while on a busy machine. */
const SETTLE_MS = 20 * 60_000;
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
  const deadline = Date.now() + SETTLE_MS;
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
