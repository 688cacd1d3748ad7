import { dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { wallClock } from '~/base/dates/wall-clock.ts';
import { usd } from '~/base/money.ts';
import { receiptNumber } from '~/features/order/receipt/receipt-facts.ts';
import { csvDownload, everyRow, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import { readDayPeriod, spanOfDays } from '../frame/days.tsx';
import type { DeskFile } from '../frame/desk-file.server.ts';
import { ledgerAfter, type LedgerRow, type MoneySpan } from './store.server.ts';

const ROWS_AT_ONCE = 1000;

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
export const ledgerRows = (readLagging: ReadLagging, span: MoneySpan) =>
  everyRow<LedgerRow>((last) => readLagging((db) => ledgerAfter(db, span, last, ROWS_AT_ONCE)));

/** The ledger of a period for bookkeeping, one line for each entry. */
export const ledgerFile: DeskFile = {
  right: () => 'export_ledger',
  open({ platform, query }) {
    const { first, last } = readDayPeriod(query, dateOf(platform.now(), TURKIYE));
    return {
      action: 'ledger_exported',
      subject: { kind: 'payments', id: 'ledger' },
      detail: { from: first, to: last },
      file: csvDownload(
        `ledger-${first}-to-${last}`,
        ledgerColumns,
        ledgerRows(platform.readLagging, spanOfDays({ first, last }, TURKIYE)),
      ),
    };
  },
};
