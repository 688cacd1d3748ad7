import type { Cell } from '~/base/csv.ts';
import { TURKIYE } from '~/base/dates/dates.ts';
import { wallClock } from '~/base/dates/wall-clock.ts';
import { usd } from '~/base/money.ts';
import { receiptNumber } from '~/features/order/receipt/receipt-number.ts';
import { everyRow } from '~/platform/http/csv.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import { ledgerAfter, type LedgerRow, type MoneySpan } from './store.server.ts';

const LINES_AT_ONCE = 1000;

/** Column names are part of the file's format and stay English. No names, addresses or documents of travellers. */
export const ledgerHead = [
  'date_turkiye',
  'time_turkiye',
  'moment_utc',
  'document',
  'partner',
  'transaction',
  'type',
  'amount_minor',
  'amount',
  'currency',
  'fee_minor',
  'fee',
  'order',
  'applications',
  'attempt',
  'entry',
] as const;

/**
 * One line for every entry of a span, oldest first: captures above zero, refunds below, and the disputes, payouts and
 * fees that partners told us of. A fee that is not known is empty, not zero. `attempt` is the payment attempt that the
 * money was captured by; `entry` names the line for good, so that a file imported twice can be told.
 */
export async function* ledgerLines(
  readLagging: ReadLagging,
  span: MoneySpan,
): AsyncGenerator<readonly Cell[]> {
  const read = (last: LedgerRow | null) =>
    readLagging((db) => ledgerAfter(db, span, last, LINES_AT_ONCE));
  for await (const row of everyRow(read)) yield lineOf(row);
}

function lineOf(row: LedgerRow): readonly Cell[] {
  const at = new Date(row.at);
  const { date, time } = wallClock(at, TURKIYE);
  const money = (minor: number | null) => (minor === null ? null : usd(minor));
  return [
    date,
    time,
    at.toISOString(),
    row.receiptKind && row.receiptYear !== null && row.receiptSerial !== null
      ? receiptNumber(row.receiptKind, row.receiptYear, row.receiptSerial)
      : null,
    row.provider,
    row.transaction,
    row.type,
    row.amountMinor,
    money(row.amountMinor),
    row.currency,
    row.feeMinor,
    money(row.feeMinor),
    row.orderNumber,
    row.applications,
    row.attemptId,
    row.id,
  ];
}
