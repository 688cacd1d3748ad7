import { sql, type SQL } from 'drizzle-orm';
import {
  paymentAttempt,
  paymentEvent,
  paymentMovement,
  paymentRefund,
} from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { within, type Span } from '~/platform/postgres/span.server.ts';
import { order } from './tables.server.ts';

/*
 * Our ledger: captures by when they were made, refunds by when they were completed, each with the fee that the partner
 * told of it; beside it what the partners’ books alone know (`payment_movement`). The figures, their file and
 * the weekly email are made of the same entries, so that they agree in every period. Lab orders are in none.
 */

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

export const isNoLab = (reference: SQL): SQL =>
  sql`not exists (select 1 from ${order} lab where lab.number = ${reference} and lab.lab)`;

/** `dispute`, `payout` and `fee` are lines of the partner’s books; the others are ours. */
export type EntryType = 'capture' | 'refund' | 'dispute' | 'payout' | 'fee';

/** The place of an entry in the list: its moment as PostgreSQL writes it, and its id. */
export type Place = { at: string; id: string };

/** The entries of a span, or the first `limit` of them after a place. */
export function ledgerEntries(span: Span, page?: { after: Place | null; limit: number }): SQL {
  const part = (at: SQL, id: SQL): SQL => {
    if (!page) return within(at, span);
    const { after, limit } = page;
    const isAfter = after
      ? sql`(${at}, ${id}) > (${after.at}::timestamptz, ${after.id}::text collate "C")`
      : sql`true`;
    return sql`${within(at, span)} and ${isAfter} order by ${at}, ${id} limit ${limit}`;
  };
  const attemptId = sql`a.id::text collate "C"`;
  const refundId = sql`r.id::text collate "C"`;
  const movementId = sql`(m.provider || ':' || m.id) collate "C"`;
  const captured = (at: SQL, from: SQL): SQL => sql`(
    select ${at} as at, ${attemptId} as id, 'capture' as type, a.provider, a.capture_id as transaction,
      a.amount_minor::bigint as amount, a.currency, a.reference, a.id as attempt_id, null::uuid as refund_id,
      a.capture_id, null::integer as fee
    from ${from} a where ${isNoLab(sql`a.reference`)} and ${part(at, attemptId)}
  )`;
  return sql`
    ${captured(sql`a.completed_at`, sql`${paymentAttempt}`)}
    union all
    ${captured(sql`a.captured_at`, lateCaptures)}
    union all (
      select r.decided_at, ${refundId}, 'refund', a.provider, r.provider_refund_id, -r.amount_minor::bigint, r.currency,
        a.reference, a.id, r.id, a.capture_id, null
      from ${paymentRefund} r join ${paymentAttempt} a on a.id = r.attempt_id
      where r.state = 'completed' and ${isNoLab(sql`a.reference`)} and ${part(sql`r.decided_at`, refundId)}
    )
    union all (
      select m.at, ${movementId}, m.kind, m.provider, m.id, m.amount_minor,
        case when m.amount_minor is not null then 'USD' end, a.reference, a.id, null, m.capture_id, m.fee_minor
      from ${paymentMovement} m
        left join ${paymentAttempt} a on a.provider = m.provider and a.capture_id = m.capture_id
      where m.kind in ('dispute', 'payout', 'fee') and ${isNoLab(sql`a.reference`)}
        and ${part(sql`m.at`, movementId)}
    )`;
}

type LedgerSums = { captures: number; captured: number; refunds: number; refunded: number };

/** How many captures and refunds a span has, and what they came to in cents. */
export async function sumLedger(db: Queryable, span: Span): Promise<LedgerSums> {
  const { rows } = await db.execute<LedgerSums>(sql`
    select count(*) filter (where type = 'capture')::int as captures,
      coalesce(sum(amount) filter (where type = 'capture'), 0)::float8 as captured,
      count(*) filter (where type = 'refund')::int as refunds,
      0 - coalesce(sum(amount) filter (where type = 'refund'), 0)::float8 as refunded
    from (${ledgerEntries(span)}) as entry`);
  return rows[0] ?? { captures: 0, captured: 0, refunds: 0, refunded: 0 };
}
