import { sql, type SQL } from 'drizzle-orm';
import { parseDate, TURKIYE } from '~/base/dates/dates.ts';
import { wallClock } from '~/base/dates/wall-clock.ts';
import { usd } from '~/base/money.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { receiptNumber, type ReceiptKind } from '~/features/order/receipt/receipt-facts.ts';
import {
  isNoLab,
  ledgerEntries,
  type EntryType,
  type Place,
} from '~/features/order/ledger.server.ts';
import { order, orderLine, orderReceipt } from '~/features/order/tables.server.ts';
import { partnerReports } from '~/features/payment/reconcile/compare.ts';
import {
  paymentMovement,
  reconciliation,
  paymentAlert,
  paymentAttempt,
} from '~/features/payment/tables.server.ts';
import { everyRow } from '~/base/cursor.ts';
import { csvDownload, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import { within, type Span } from '~/platform/postgres/span.server.ts';
import { spanOf, type Days, type Period } from './period.tsx';

type PartnerRow = {
  provider: string;
  captured: number;
  captures: number;
  /** Captures whose fee the partner has told. */
  charged: number;
  refunded: number;
  refunds: number;
  /** Captures and refunds whose fee is not known. */
  feesUnknown: number;
  /** Entries whose fee is known, and what they cost. */
  feesKnown: number;
  fees: number;
  /** By the partner’s books. Amounts that left our balance are positive. */
  taken: number;
  paidOut: number;
  /** Lines of its books in another currency, which are in no sum. */
  foreign: number;
  /** What disputes ask for that were opened. */
  disputed: number;
  /** The last UTC day up to which every comparison with its books is finished; null before the first. */
  readUntil: string | null;
};

/** Sums by partner in a span, in minor units. */
async function sumByPartner(db: Queryable, span: Span): Promise<PartnerRow[]> {
  const sumOf = (type: EntryType) =>
    sql`coalesce(sum(amount) filter (where type = ${type}), 0)::float8`;
  const { rows } = await db.execute<PartnerRow>(sql`
    with entry as not materialized (${ledgerEntries(span)}), reported as (
      select e.provider, coalesce(sum(m.fee_minor), 0)::float8 as fees,
        count(m.fee_minor) filter (where e.type = 'capture')::int as charged,
        count(distinct m.refund_id) filter (where e.type = 'refund' and m.fee_minor is not null)::int as refunds_charged
      from entry e join ${paymentMovement} m
        on m.provider = e.provider and m.capture_id = e.capture_id and m.kind = e.type
      where e.type = 'capture' or (e.type = 'refund' and m.refund_id = e.transaction) group by e.provider
    ), summed as (
      select provider, ${sumOf('capture')} as captured, count(*) filter (where type = 'capture')::int as captures,
        0 - ${sumOf('refund')} as refunded, count(*) filter (where type = 'refund')::int as refunds,
        coalesce(sum(fee), 0)::float8 as fees, count(fee)::int as lines_charged, 0 - ${sumOf('dispute')} as taken,
        0 - ${sumOf('payout')} as paid_out,
        count(*) filter (where type in ('dispute', 'payout', 'fee') and (amount is null or fee is null))::int
          as foreign_lines
      from entry group by provider
    ), opened as (
      select provider, sum(minor)::float8 as disputed from (
        select distinct on (l.detail ->> 'disputeId') a.provider, l.raised_at,
          coalesce((l.detail ->> 'amountMinor')::int, 0) as minor
        from ${paymentAlert} l join ${paymentAttempt} a on a.id = l.attempt_id
        where l.kind = 'disputed' and ${isNoLab(sql`a.reference`)}
        order by l.detail ->> 'disputeId', l.raised_at
      ) first where ${within(sql`raised_at`, span)} group by provider
    )
    select provider, coalesce(captured, 0) as captured, coalesce(captures, 0) as captures,
      coalesce(charged, 0) as charged, coalesce(refunded, 0) as refunded, coalesce(refunds, 0) as refunds,
      coalesce(captures + refunds, 0) - coalesce(charged + refunds_charged, 0) as "feesUnknown",
      coalesce(lines_charged, 0) + coalesce(charged + refunds_charged, 0) as "feesKnown",
      coalesce(summed.fees, 0) + coalesce(reported.fees, 0) as fees, coalesce(taken, 0) as taken, coalesce(paid_out, 0) as "paidOut", coalesce(foreign_lines, 0) as foreign,
      coalesce(disputed, 0) as disputed, (
        select max(d.day)::text from ${reconciliation} d
        where d.provider = coalesce(summed.provider, opened.provider) and d.finished_at is not null and not exists (
          select 1 from ${reconciliation} earlier where earlier.provider = d.provider and earlier.day < d.day
            and earlier.finished_at is null
        )
      ) as "readUntil"
    from summed full join opened using (provider) left join reported using (provider) order by provider`);
  return rows;
}

/** The number of a moment's step in a period, from 0. */
export const stepOf = (at: SQL, { starts }: Pick<Period, 'starts'>): SQL =>
  sql`width_bucket(${at}, ${sql.param(
    starts.map((day) => spanOf({ first: day, last: day }).from.toISOString()),
  )}::timestamptz[]) - 1`;

/** What was captured and refunded, by the steps of a period and, without a step, in all: the sums of all partners. */
export async function sumBySteps(db: Queryable, period: Period) {
  const { rows } = await db.execute<{ step: number | null; captured: number; refunded: number }>(
    sql`
    select step, coalesce(sum(amount) filter (where type = 'capture'), 0)::float8 as captured,
      (0 - coalesce(sum(amount) filter (where type = 'refund'), 0))::float8 as refunded
    from (
      select ${stepOf(sql`at`, period)} as step, type, amount from (${ledgerEntries(spanOf(period))}) as entry
    ) as stepped group by grouping sets ((step), ())`,
  );
  return rows.map(({ captured, refunded, step }) => ({
    step,
    captured: usd(captured),
    refunded: usd(refunded),
  }));
}

export type LedgerRow = Place & {
  type: EntryType;
  provider: string;
  transaction: string | null;
  /** Below zero where money left us. Null in a currency that is not ours. */
  amountMinor: number | null;
  currency: string | null;
  feeMinor: number | null;
  orderNumber: string | null;
  applications: string | null;
  attemptId: string | null;
  receiptKind: ReceiptKind | null;
  receiptYear: number | null;
  receiptSerial: number | null;
};

/** Entries of a span after a known one, oldest first. */
export async function ledgerPage(
  db: Queryable,
  span: Span,
  after: Place | null,
  limit: number,
): Promise<LedgerRow[]> {
  const page = ledgerEntries(span, { after, limit });
  const { rows } = await db.execute<LedgerRow>(sql`
    with entry as (select * from (${page}) every order by at, id limit ${limit})
    select e.at::text as at, e.id, e.type, e.provider, e.transaction, e.amount::float8 as "amountMinor", e.currency,
      coalesce(e.fee, reported.fee)::int as "feeMinor", e.reference as "orderNumber", lines.applications, e.attempt_id as "attemptId",
      document.kind as "receiptKind", document.year as "receiptYear", document.serial as "receiptSerial"
    from entry e
      left join ${order} o on o.number = e.reference
      left join lateral (
        select sum(m.fee_minor) as fee from ${paymentMovement} m
        where m.provider = e.provider and m.capture_id = e.capture_id and m.kind = e.type
          and (e.type = 'capture' or m.refund_id = e.transaction)
      ) reported on e.type in ('capture', 'refund')
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

export type PartnerMoney = Awaited<ReturnType<typeof moneyByPartner>>[number];

/** Money by partner in a period. Null: the partner does not tell it. */
export async function moneyByPartner(
  db: Queryable,
  { mode, providers }: Pick<Platform['config'], 'mode' | 'providers'>,
  span: Span,
) {
  const rows = await sumByPartner(db, span);
  return providerNames.flatMap((provider) => {
    const row = rows.find((one) => one.provider === provider);
    if (!row) return [];
    const tells = partnerReports[provider];
    const reported = (isReported: boolean, minor: number) => (isReported ? usd(minor) : null);
    const isSomeFeeKnown = row.feesKnown > 0 || row.captures === 0;
    const fees = reported(tells.fees && isSomeFeeKnown, row.fees);
    return {
      provider,
      /** Test mode plays this partner. In live mode one that is no longer configured took real money. */
      isSimulated: mode === 'test' && providers[provider] === undefined,
      captured: usd(row.captured),
      captures: row.captures,
      refunded: usd(row.refunded),
      refunds: row.refunds,
      fees,
      /** Captures whose fee is known. */
      charged: row.charged,
      disputed: reported(tells.disputes, row.disputed),
      /** Taken for disputes, less what came back. */
      taken: reported(tells.disputes, row.taken),
      /** Captured less refunds, known fees and what was taken for disputes. */
      net: usd(row.captured - row.refunded - (fees?.minor ?? 0) - (tells.disputes ? row.taken : 0)),
      /** Every fee is in the net amount, and what was taken for disputes. */
      isNetWhole: tells.fees && tells.disputes && row.feesUnknown === 0 && row.foreign === 0,
      paidOut: reported(tells.payouts, row.paidOut),
      /** Lines of its books in another currency. */
      foreign: row.foreign,
      readUntil: row.readUntil === null ? null : parseDate(row.readUntil),
    };
  });
}

const money = (minor: number | null) => (minor === null ? null : usd(minor));
const inTurkiye = (at: string | Date) => wallClock(new Date(at), TURKIYE);

/**
 * Captures above zero, refunds below, and the disputes, payouts and fees that partners told us of. A fee that is not
 * known is empty, not zero. `attempt` is the payment attempt that the money was captured by; `entry` names the line for
 * good, so that a file imported twice can be told. No names, addresses or documents of travellers.
 */
export const ledgerColumns = {
  date_turkiye: ({ at }) => inTurkiye(at).date,
  time_turkiye: ({ at }) => inTurkiye(at).time,
  moment_utc: ({ at }) => new Date(at).toISOString(),
  document: ({ receiptKind, receiptYear, receiptSerial }) =>
    receiptKind && receiptYear !== null && receiptSerial !== null
      ? receiptNumber(receiptKind, receiptYear, receiptSerial)
      : null,
  partner: ({ provider }) => provider,
  transaction: ({ transaction }) => transaction,
  type: ({ type }) => type,
  amount_minor: ({ amountMinor }) => amountMinor,
  amount: ({ amountMinor }) => money(amountMinor),
  currency: ({ currency }) => currency,
  fee_minor: ({ feeMinor }) => feeMinor,
  fee: ({ feeMinor }) => money(feeMinor),
  order: ({ orderNumber }) => orderNumber,
  applications: ({ applications }) => applications,
  attempt: ({ attemptId }) => attemptId,
  entry: ({ id }) => id,
} satisfies CsvColumns<LedgerRow>;

/** Every entry of a span, oldest first. */
export const ledgerRows = (readLagging: ReadLagging, span: Span) =>
  everyRow<LedgerRow>((last, limit) => readLagging((db) => ledgerPage(db, span, last, limit)));

/** The ledger of a period for bookkeeping, one line for each entry. */
export const ledgerFile = ({ platform, period }: { platform: Platform; period: Days }): Response =>
  csvDownload(
    `ledger-${period.first}-to-${period.last}`,
    ledgerColumns,
    ledgerRows(platform.readLagging, spanOf(period)),
  );
