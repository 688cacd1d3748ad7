import { dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { csvDownload, everyRow, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { DeskFile } from '../frame/desk-file.server.ts';
import { chartActions, readChart, type ChartName } from './charts.ts';
import { lastDayOf, readPeriod, type Period } from './period.ts';
import { cachedStatistics, type Statistics } from './statistics.server.ts';
import {
  countNationalities,
  submittedAfter,
  type ExportedRow,
  type NationalityRow,
} from './statistics-store.server.ts';

type Reading = Pick<Platform, 'db' | 'readLagging' | 'now'>;
type Download = (platform: Reading, period: Period, name: string) => Response;

/** A chart with a row for every step; `from` and `to` are its first and last day. */
function byStep<One>(
  stepsOf: (statistics: Statistics) => readonly One[],
  columns: CsvColumns<One>,
): Download {
  type Row = { from: PlainDate; to: PlainDate; one: One };
  async function* rows(platform: Reading, period: Period): AsyncGenerator<Row> {
    const steps = stepsOf(await cachedStatistics(platform, period));
    for (const [step, one] of steps.entries()) {
      yield { from: period.starts[step] ?? period.end, to: lastDayOf(period, step), one };
    }
  }
  const ofStep = Object.entries(columns).map(
    ([column, cell]) => [column, ({ one }: Row) => cell(one)] as const,
  );
  const all: CsvColumns<Row> = {
    from: ({ from }) => from,
    to: ({ to }) => to,
    ...Object.fromEntries(ofStep),
  };
  return (platform, period, name) => csvDownload(name, all, rows(platform, period));
}

const minutes = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds / 60_000);

async function* everyNationality({ readLagging }: Reading, period: Period) {
  yield* await readLagging((db) => countNationalities(db, period, null));
}

/** The data of every chart. */
const chartDownloads: Readonly<Record<ChartName, Download>> = {
  applications: byStep(({ submitted }) => submitted, {
    visa: ({ visa }) => visa,
    insurance: ({ insurance }) => insurance,
  }),
  revenue: byStep(({ revenue }) => revenue, {
    paid: ({ paid }) => paid,
    refunded: ({ refunded }) => refunded,
    net: ({ paid, refunded }) => usd(paid.minor - refunded.minor),
    currency: ({ paid }) => paid.currency,
  }),
  time: byStep(({ decisions }) => decisions, {
    decided: ({ decided }) => decided,
    median_minutes: ({ medianMs }) => minutes(medianMs),
    ninetieth_percentile_minutes: ({ ninetiethMs }) => minutes(ninetiethMs),
  }),
  promise: byStep(({ decisions }) => decisions, {
    due: ({ due }) => due,
    kept: ({ kept }) => kept,
    not_kept: ({ due, kept }) => due - kept,
  }),
  approval: byStep(({ decisions }) => decisions, {
    decided: ({ decided }) => decided,
    approved: ({ approved }) => approved,
    rejected: ({ decided, approved }) => decided - approved,
  }),
  /** All nationalities, not only those drawn. */
  nationalities: (platform, period, name) =>
    csvDownload<NationalityRow>(
      name,
      {
        nationality: ({ code }) => code,
        visa: ({ visa }) => visa,
        insurance: ({ insurance }) => insurance,
      },
      everyNationality(platform, period),
    ),
};

/** The data of one chart. */
export const chartFile: DeskFile = {
  right(query) {
    const chart = readChart(query.get('chart'));
    return chart ? chartActions[chart] : 'view_statistics';
  },
  open({ platform, query }) {
    const chart = readChart(query.get('chart'));
    if (!chart) return null;
    const today = dateOf(platform.now(), UTC);
    const period = readPeriod(query, today);
    return {
      action: 'statistics_exported',
      subject: { kind: 'statistics', id: chart },
      detail: { range: period.range, by: period.step },
      file: chartDownloads[chart](platform, period, `${chart}-${period.range}-${today}`),
    };
  },
};

const ROWS_AT_ONCE = 1000;

const moment = (at: Date | null) => at?.toISOString() ?? null;

/** Moments are UTC. No names, addresses or documents of travellers. */
export const applicationsColumns = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  nationality: ({ countryCode }) => countryCode,
  processing_type: ({ service }) => service,
  submitted: ({ createdAt }) => moment(createdAt),
  paid: ({ paidAt }) => moment(paidAt),
  decided: ({ decidedAt }) => moment(decidedAt),
  promised: ({ promisedAt }) => moment(promisedAt),
  amount: ({ amountMinor }) => usd(amountMinor),
  currency: ({ currency }) => currency,
  refunded: ({ refundedMinor }) => usd(refundedMinor),
  refunded_at: ({ refundedAt }) => moment(refundedAt),
} satisfies CsvColumns<ExportedRow>;

/** Every application submitted in the period, oldest first. */
export const submittedIn = (readLagging: ReadLagging, period: Period) =>
  everyRow<ExportedRow>((last) =>
    readLagging((db) => submittedAfter(db, period, last, ROWS_AT_ONCE)),
  );

/** Every application submitted in a period, one line each. */
export const applicationsFile: DeskFile = {
  right: () => 'export_applications',
  open({ platform, query }) {
    const today = dateOf(platform.now(), UTC);
    const period = readPeriod(query, today);
    return {
      action: 'applications_exported',
      subject: { kind: 'statistics', id: 'applications' },
      detail: { range: period.range },
      file: csvDownload(
        `all-applications-${period.range}-${today}`,
        applicationsColumns,
        submittedIn(platform.readLagging, period),
      ),
    };
  },
};
