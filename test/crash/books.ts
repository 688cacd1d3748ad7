import type { Pool, QueryResultRow } from 'pg';
import { parseMoney, usd } from '~/base/money.ts';
import { markedRefund } from '~/features/payment/providers/paypal-order.ts';
import type { Rows } from './ledger.ts';

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
export type Ours = {
  applications: {
    number: string;
    kind: 'visa' | 'insurance';
    orderNumber: string;
    isWhole: boolean;
    isPromised: boolean;
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

export async function readOurs(ledger: Rows): Promise<Ours> {
  const rows = <T extends QueryResultRow>(query: string) => ledger.rows<T>(query);
  const alerts = await rows<{ kind: string; n: number }>(
    'select kind, count(*)::int as n from payment_alert group by kind',
  );
  return {
    applications: await rows(
      `select a.number, a.kind, a.order_number as "orderNumber", a.status,
         o.id is not null and (v.application_id is not null or i.application_id is not null) as "isWhole",
         a.promised_at is not null as "isPromised",
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
export type Theirs = {
  captures: { provider: string; id: string; attemptId: string; amount: number }[];
  /** Completed refunds; `refundId` is our id. */
  refunds: { captureId: string; refundId: string | null; amount: number; isDone: boolean }[];
};

export async function readTheirs(pool: Pool): Promise<Theirs> {
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
