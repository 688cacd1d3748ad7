import { sql, type SQL } from 'drizzle-orm';
import { order, orderLine } from '~/features/order/tables.server.ts';
import { orderReceipt } from '~/features/order/receipt/tables.server.ts';
import type { ReceiptKind } from '~/features/order/receipt/receipt-number.ts';
import { paymentMovement, reconciliation } from '~/features/payment/reconcile/tables.server.ts';
import {
  paymentAlert,
  paymentAttempt,
  paymentEvent,
  paymentRefund,
} from '~/features/payment/settlement/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/*
 * Our ledger: captures by when they were made, refunds by when they were completed; beside it what the partners’ books
 * said (`payment_movement`). Both figures and file read these same parts.
 */

export type MoneySpan = { readonly from: Date; readonly to: Date };

const within = (moment: SQL, { from, to }: MoneySpan): SQL =>
  sql`${moment} >= ${from.toISOString()}::timestamptz and ${moment} < ${to.toISOString()}::timestamptz`;

/** Captures of an order that another one had paid: their moment is that of their event. Few. */
const lateCaptures = sql`(
  select a.*, (
    select min(e.received_at) from ${paymentEvent} e
    where e.attempt_id = a.id and e.event = 'capture' and e.result = 'moved'
  ) as captured_at
  from ${paymentAttempt} a
  where a.capture_id is not null and a.completed_at is null
    and a.state in ('captured_late', 'partially_refunded', 'refunded')
)`;

export type PartnerRow = {
  provider: string;
  captured: number;
  captures: number;
  /** Captures whose fee the partner has told. */
  charged: number;
  refunded: number;
  refunds: number;
  /** By the partner’s books, on the day it booked them. Below: amounts that left our balance are positive. */
  fees: number;
  taken: number;
  paidOut: number;
  /** Lines of its books in another currency, which are in no sum. */
  foreign: number;
  /** Disputes that were opened, and what they ask for. */
  disputes: number;
  disputed: number;
  /** The last UTC day whose comparison with its books is finished; null before the first. */
  readUntil: string | null;
};

/** Sums by partner in a span, in minor units. */
export async function sumByPartner(db: Queryable, span: MoneySpan): Promise<PartnerRow[]> {
  const isCharged = sql`exists (
    select 1 from ${paymentMovement} m
    where m.provider = c.provider and m.capture_id = c.capture_id and m.kind = 'capture' and m.fee_minor is not null
  )`;
  const { rows } = await db.execute<PartnerRow>(sql`
    with part as (
      select c.provider, c.amount_minor as captured, 1 as captures, case when ${isCharged} then 1 else 0 end as charged,
        0 as refunded, 0 as refunds, 0 as fees, 0::bigint as taken, 0::bigint as paid_out, 0 as foreign_lines,
        0 as disputes, 0 as disputed
      from (
        select provider, capture_id, amount_minor from ${paymentAttempt} where ${within(sql`completed_at`, span)}
        union all
        select provider, capture_id, amount_minor from ${lateCaptures} l where ${within(sql`captured_at`, span)}
      ) c
      union all
      select a.provider, 0, 0, 0, r.amount_minor, 1, 0, 0, 0, 0, 0, 0
      from ${paymentRefund} r join ${paymentAttempt} a on a.id = r.attempt_id
      where r.state = 'completed' and ${within(sql`r.decided_at`, span)}
      union all
      select provider, 0, 0, 0, 0, 0, coalesce(fee_minor, 0),
        case when kind = 'dispute' then coalesce(-amount_minor, 0) else 0 end,
        case when kind = 'payout' then coalesce(-amount_minor, 0) else 0 end,
        case when amount_minor is null or fee_minor is null then 1 else 0 end, 0, 0
      from ${paymentMovement} where ${within(sql`at`, span)}
      union all
      select provider, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, minor from (
        select distinct on (l.detail ->> 'disputeId') a.provider, l.raised_at,
          coalesce((l.detail ->> 'amountMinor')::int, 0) as minor
        from ${paymentAlert} l join ${paymentAttempt} a on a.id = l.attempt_id
        where l.kind = 'disputed' order by l.detail ->> 'disputeId', l.raised_at
      ) opened where ${within(sql`raised_at`, span)}
    )
    select provider, sum(captured)::float8 as captured, sum(captures)::int as captures, sum(charged)::int as charged,
      sum(refunded)::float8 as refunded, sum(refunds)::int as refunds, sum(fees)::float8 as fees,
      sum(taken)::float8 as taken, sum(paid_out)::float8 as "paidOut", sum(foreign_lines)::int as foreign,
      sum(disputes)::int as disputes, sum(disputed)::float8 as disputed, (
        select max(day)::text from ${reconciliation} d where d.provider = part.provider and d.finished_at is not null
      ) as "readUntil"
    from part group by provider order by provider`);
  return rows;
}

/** `dispute`, `payout` and `fee` are lines of the partner’s books; the others are ours. */
export type EntryType = 'capture' | 'refund' | 'dispute' | 'payout' | 'fee';

export type LedgerRow = {
  /** As PostgreSQL writes it, for the place in the list. */
  at: string;
  id: string;
  type: EntryType;
  provider: string;
  transaction: string | null;
  /** Below zero where money left us. Null in a currency that is not ours. */
  amountMinor: number | null;
  currency: string | null;
  feeMinor: number | null;
  orderNumber: string | null;
  applications: string | null;
  receiptKind: ReceiptKind | null;
  receiptYear: number | null;
  receiptSerial: number | null;
};

/** Entries of a span after a known one, oldest first. */
export async function ledgerAfter(
  db: Queryable,
  span: MoneySpan,
  last: Pick<LedgerRow, 'at' | 'id'> | null,
  limit: number,
): Promise<LedgerRow[]> {
  const page = (at: SQL, id: SQL): SQL =>
    sql`${within(at, span)} and ${
      last
        ? sql`(${at}, ${id}) > (${last.at}::timestamptz, ${last.id}::text collate "C")`
        : sql`true`
    } order by ${at}, ${id} limit ${limit}`;
  const attemptId = sql`a.id::text collate "C"`;
  const captured = (at: SQL, from: SQL): SQL => sql`(
    select ${at} as at, ${attemptId} as id, 'capture' as type, a.provider, a.capture_id as transaction,
      a.amount_minor::bigint as amount, a.currency, a.reference, a.id as attempt_id, null::uuid as refund_id,
      a.capture_id, null::integer as fee
    from ${from} a where ${page(at, attemptId)}
  )`;
  const movementId = sql`(m.provider || ':' || m.id) collate "C"`;
  const { rows } = await db.execute<LedgerRow>(sql`
    with entry as (
      select * from (
        ${captured(sql`a.completed_at`, sql`${paymentAttempt}`)}
        union all
        ${captured(sql`a.captured_at`, lateCaptures)}
        union all (
          select r.decided_at, r.id::text collate "C", 'refund', a.provider, r.provider_refund_id,
            -r.amount_minor::bigint, r.currency, a.reference, a.id, r.id, a.capture_id, null
          from ${paymentRefund} r join ${paymentAttempt} a on a.id = r.attempt_id
          where r.state = 'completed' and ${page(sql`r.decided_at`, sql`r.id::text collate "C"`)}
        )
        union all (
          select m.at, ${movementId}, m.kind, m.provider, m.id, m.amount_minor,
            case when m.amount_minor is not null then 'USD' end, (
              select a.reference from ${paymentAttempt} a where a.provider = m.provider and a.capture_id = m.capture_id
            ), null, null, m.capture_id, m.fee_minor
          from ${paymentMovement} m
          where m.kind in ('dispute', 'payout', 'fee') and ${page(sql`m.at`, movementId)}
        )
      ) every order by at, id limit ${limit}
    )
    select e.at::text as at, e.id, e.type, e.provider, e.transaction, e.amount::float8 as "amountMinor", e.currency,
      coalesce(e.fee, told.fee)::int as "feeMinor", e.reference as "orderNumber", lines.applications,
      document.kind as "receiptKind", document.year as "receiptYear", document.serial as "receiptSerial"
    from entry e
      left join ${order} o on o.number = e.reference
      left join lateral (
        select sum(m.fee_minor) as fee from ${paymentMovement} m
        where m.provider = e.provider and m.capture_id = e.capture_id and m.kind = e.type
          and (e.type = 'capture' or m.refund_id = e.transaction)
      ) told on e.type in ('capture', 'refund')
      left join lateral (
        select string_agg(distinct l.application_number, ' ' order by l.application_number) as applications
        from ${orderLine} l where l.order_id = o.id
      ) lines on true
      left join ${orderReceipt} document on case e.type
        when 'capture' then document.order_id = o.id and document.kind = 'receipt' and o.paid_by = e.attempt_id
        when 'refund' then document.refund_id = e.refund_id else false end
    order by e.at, e.id`);
  return rows;
}
