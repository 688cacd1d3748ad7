import type { Cell } from '~/base/csv.ts';
import { toDecimal, usd } from '~/base/money.ts';
import { everyRow } from '~/platform/http/csv.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import type { Period } from './period.ts';
import { submittedAfter, type ExportedRow } from './statistics-store.server.ts';

const LINES_AT_ONCE = 1000;

/** Column names are part of the file's format and stay English. No names, addresses or documents of travellers. */
export const applicationsHead = [
  'number',
  'kind',
  'status',
  'nationality',
  'processing_type',
  'submitted',
  'paid',
  'decided',
  'promised',
  'amount',
  'currency',
  'refunded',
  'refunded_at',
] as const;

const moment = (at: Date | null) => at?.toISOString() ?? null;

/** One line for every application submitted in the period, oldest first; moments are UTC. */
export async function* applicationsLines(
  readLagging: ReadLagging,
  period: Period,
): AsyncGenerator<readonly Cell[]> {
  const read = (last: ExportedRow | null) =>
    readLagging((db) => submittedAfter(db, period, last, LINES_AT_ONCE));
  for await (const row of everyRow(read)) {
    yield [
      row.number,
      row.kind,
      row.status,
      row.countryCode,
      row.service,
      moment(row.createdAt),
      moment(row.paidAt),
      moment(row.decidedAt),
      moment(row.promisedAt),
      toDecimal(usd(row.amountMinor)),
      row.currency,
      toDecimal(usd(row.refundedMinor)),
      moment(row.refundedAt),
    ];
  }
}
