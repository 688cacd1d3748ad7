import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import {
  reportDays,
  reportRows,
  reportsBetween,
  type ReportRow,
} from '~/features/payment/reconcile/store.server.ts';
import { csvDownload, everyRow, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { DeskFile } from '../frame/desk-file.server.ts';

/** Days on one page, and differences shown of one day; the file has all. */
const DAYS = 14;
const DIFFERENCES = 100;

export type ReconciliationPage = Awaited<ReturnType<typeof reconciliationPage>>;

/** The newest days before `before`, and the differences of `day`, or of the newest of them. */
export async function reconciliationPage(
  db: Queryable,
  asked: { day: PlainDate | null; before: PlainDate | null },
) {
  const found = await reportDays(db, { before: asked.before, limit: DAYS + 1 });
  const days = found.slice(0, DAYS).flatMap((text) => parseDate(text) ?? []);
  const [newest, oldest] = [days[0], days.at(-1)];
  const reports = newest && oldest ? await reportsBetween(db, oldest, newest) : [];
  const own = asked.day ? await reportsBetween(db, asked.day, asked.day) : [];
  const day = own.length > 0 ? asked.day : (newest ?? null);
  const ofDay = own.length > 0 ? own : reports.filter((report) => report.day === day);
  const query = { differing: true, after: null, limit: DIFFERENCES + 1 };
  const differences = day ? await reportRows(db, day, query) : [];
  return {
    reports,
    /** The last day of this page, before which older ones lie. */
    older: found.length > DAYS ? (oldest ?? null) : null,
    /** The day whose differences are shown. */
    day,
    isFinished: ofDay.every(({ finishedAt }) => finishedAt !== null),
    differences: differences.slice(0, DIFFERENCES),
    moreDifferences: differences.length > DIFFERENCES,
  };
}

const money = (minor: number | null) => (minor === null ? null : usd(minor));

const reportColumns: CsvColumns<ReportRow> = {
  day: ({ day }) => day,
  provider: ({ provider }) => provider,
  order: ({ reference }) => reference,
  attempt: ({ attemptId }) => attemptId,
  state: ({ state }) => state,
  currency: () => 'USD',
  captured_that_day: ({ capturedMinor }) => money(capturedMinor),
  refunded_that_day: ({ refundedMinor }) => money(refundedMinor),
  our_captured: ({ ourCapturedMinor }) => money(ourCapturedMinor),
  our_refunded: ({ ourRefundedMinor }) => money(ourRefundedMinor),
  our_refunding: ({ ourRefundingMinor }) => money(ourRefundingMinor),
  their_captured: ({ theirCapturedMinor }) => money(theirCapturedMinor),
  their_capture_id: ({ theirCaptureId }) => theirCaptureId,
  their_refunded: ({ theirRefundedMinor }) => money(theirRefundedMinor),
  differences: ({ differences }) => differences.join(' '),
  settled_by_this_run: ({ settled }) => (settled ? 'yes' : 'no'),
};

/** Every compared attempt of one day. */
export const reconciliationFile: DeskFile = {
  right: () => 'view_payments',
  async open({ platform: { db }, params }) {
    const day = parseDate(params.day ?? '');
    const reports = day ? await reportsBetween(db, day, day) : [];
    if (!day || reports.length === 0) return null;
    const isWhole = reports.every(({ finishedAt }) => finishedAt !== null);
    const rows = everyRow<ReportRow>((last, limit) =>
      reportRows(db, day, { differing: false, after: last?.attemptId ?? null, limit }),
    );
    return {
      action: 'reconciliation_exported',
      subject: { kind: 'report', id: day },
      file: csvDownload(
        isWhole ? `reconciliation-${day}` : `reconciliation-${day}-unfinished`,
        reportColumns,
        rows,
      ),
    };
  },
};
