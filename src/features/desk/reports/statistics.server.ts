import { and, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { CsvCell } from '~/base/csv.ts';
import { csvDownload, everyRow, type CsvColumns } from '~/platform/http/csv.server.ts';
import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { application } from '~/features/application/tables.server.ts';
import { order, orderLine, orderRefund, orderRefundLine } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import { planColumns, planLines, type ColumnsPlan, type LinesPlan } from '~/ui/chart/charts.tsx';
import type { DeskFile } from '../frame/desk-file.server.ts';
import {
  drawnColumns,
  readChart,
  stepCharts,
  TOP_NATIONALITIES,
  type Figure,
  type StepChartName,
  type StepFigures,
} from './charts.ts';
import { within } from '~/platform/postgres/span.server.ts';
import { nameNationalities, readSnapshot, stepOf, countPromisesByStep } from './work.server.ts';
import { daysOfStep, readRangePeriod, spanOf, type Period } from './period.tsx';

/*
 * The data of the charts, each aggregated in one statement over one index (`application_submitted`,
 * `application_visa_decided`, `order_paid_at`, `payment_attempt_given_back`). A step is its number in the period, from
 * 0; the row without a step is that of the whole period. Steps in which nothing happened are left out.
 */

type StepRow<Name extends string> = { step: number | null } & Record<Name, number>;

/** Submitted applications. */
async function countSubmitted(db: Queryable, period: Period) {
  const { rows } = await db.execute<StepRow<'visa' | 'insurance'>>(sql`
    select step, count(*) filter (where kind = 'visa')::int as visa,
      count(*) filter (where kind = 'insurance')::int as insurance
    from (
      select ${stepOf(sql`created_at`, period.starts)} as step, kind from ${application}
      where ${within(sql`created_at`, spanOf(period))}
    ) as submitted group by grouping sets ((step), ())`);
  return rows;
}

/** Payments, and what has been refunded of them since. */
async function sumRevenue(db: Queryable, period: Period) {
  // Refunded captures are few: an index of their own covers them, without reading the table.
  const { rows } = await db.execute<StepRow<'paid' | 'refunded'>>(sql`
    select step, coalesce(sum(amount_minor), 0)::float8 as paid, coalesce(sum(refunded_minor), 0)::float8 as refunded
    from (
      select ${stepOf(sql`paid_at`, period.starts)} as step, ${order}.amount_minor, given_back.refunded_minor
      from ${order}
        left join ${paymentAttempt} as given_back on given_back.id = paid_by and given_back.refunded_minor > 0
      where not lab and ${within(sql`paid_at`, spanOf(period))}
    ) as paid group by grouping sets ((step), ())`);
  return rows.map(({ paid, refunded, ...row }) => ({
    ...row,
    paid: usd(paid),
    refunded: usd(refunded),
  }));
}

/**
 * Decisions about paid visa applications. Insurance is mostly approved automatically, and what a traveller withdrew
 * nobody decided.
 */
async function readDecisions(db: Queryable, period: Period) {
  const { rows } = await db.execute<
    StepRow<'decided' | 'approved'> & Pick<StepFigures, 'medianMs' | 'ninetiethMs'>
  >(sql`
    select step, count(*)::int as decided, count(*) filter (where status = 'approved')::int as approved,
      (percentile_disc(0.5) within group (order by took))::float8 as "medianMs",
      (percentile_disc(0.9) within group (order by took))::float8 as "ninetiethMs"
    from (
      select ${stepOf(sql`decided_at`, period.starts)} as step, status,
        (extract(epoch from decided_at - paid_at) * 1000)::bigint as took
      from ${application}
      where kind = 'visa' and paid_at is not null and ${within(sql`decided_at`, spanOf(period))}
        and rejection_code is distinct from 'withdrawn'
    ) as decision group by grouping sets ((step), ())`);
  return rows;
}

type NationalityRow = { code: string; visa: number; insurance: number };

/** Nationalities by submitted applications, most first; equal ones by code. */
async function countNationalities(
  db: Queryable,
  period: Period,
  limit: number | null,
): Promise<NationalityRow[]> {
  const { rows } = await db.execute<NationalityRow>(sql`
    select country_code as code, count(*) filter (where kind = 'visa')::int as visa,
      count(*) filter (where kind = 'insurance')::int as insurance
    from ${application} where ${within(sql`created_at`, spanOf(period))}
    group by country_code order by count(*) desc, country_code limit ${limit}`);
  return rows;
}

/** The statistics of a period. */
export type Statistics = {
  /** Everything was read in one snapshot of the database, at this moment. */
  readonly asOf: Date;
  readonly steps: readonly StepFigures[];
  /** The whole, of which some figures are no sum. */
  readonly whole: StepFigures;
  readonly nationalities: readonly NationalityRow[];
};

const NO_FIGURES: StepFigures = {
  visa: 0,
  insurance: 0,
  paid: usd(0),
  refunded: usd(0),
  decided: 0,
  approved: 0,
  medianMs: null,
  ninetiethMs: null,
  due: 0,
  kept: 0,
};

export const readStatistics = (db: Database, period: Period, asOf: Date): Promise<Statistics> =>
  readSnapshot(db, async (tx) => {
    const rows = [
      ...(await countSubmitted(tx, period)),
      ...(await sumRevenue(tx, period)),
      ...(await readDecisions(tx, period)),
      ...(await countPromisesByStep(tx, period, asOf)),
    ];
    const figuresOf = (asked: number | null): StepFigures =>
      rows.reduce(
        (all, { step, ...figures }) => (step === asked ? { ...all, ...figures } : all),
        NO_FIGURES,
      );
    const nationalities = await countNationalities(tx, period, TOP_NATIONALITIES);
    const steps = period.starts.map((_, step) => figuresOf(step));
    return { asOf, steps, whole: figuresOf(null), nationalities };
  });

const FRESH_MS = 60_000;

type Cached = { at: number; statistics: Promise<Statistics> };

/** By database, then by period. */
const cache = new WeakMap<Database, Map<string, Cached>>();

type Reading = Pick<Platform, 'db' | 'readLagging' | 'now'>;

/**
 * The statistics of a period, at most a minute old; they contain their moment. Each process has its own; concurrent
 * requests share one reading. A reading that fails is not cached.
 */
export function cachedStatistics(
  { db, readLagging, now }: Reading,
  period: Period,
): Promise<Statistics> {
  const asOf = now();
  const at = asOf.getTime();
  const known = cache.get(db) ?? new Map<string, Cached>();
  cache.set(db, known);
  for (const [key, { at: then }] of known) if (at - then >= FRESH_MS) known.delete(key);
  const key = `${period.first} ${period.last} ${period.step}`;
  const found = known.get(key);
  if (found) return found.statistics;
  // A lagging replica is fine, as statistics may be a minute old.
  const statistics = readLagging((from) => readStatistics(from, period, asOf));
  known.set(key, { at, statistics });
  statistics.catch(() => {
    if (known.get(key)?.statistics === statistics) known.delete(key);
  });
  return statistics;
}

/** The figures of a chart's columns by their names. */
type Figures = Readonly<Record<string, Figure>>;

/** A chart as the page shows it, with the figures of each step and of the whole. */
export type ChartView = {
  name: StepChartName;
  isEmpty: boolean;
  rows: readonly Figures[];
  whole: Figures;
  plan: ColumnsPlan | LinesPlan;
};

/** The page's data with charts laid out here, which keeps the layout library out of the browser. */
export async function statisticsView(
  platform: Reading,
  period: Period,
  { charts, language }: { charts: readonly StepChartName[]; language: Language },
) {
  const { asOf, steps, whole, nationalities } = await cachedStatistics(platform, period);
  return {
    asOf,
    charts: charts.map((name) => viewChart(name, steps, whole)),
    submitted: whole.visa + whole.insurance,
    nationalities: await nameNationalities(platform, nationalities, language),
  };
}

function viewChart(
  name: StepChartName,
  steps: readonly StepFigures[],
  whole: StepFigures,
): ChartView {
  const { columns, base, shape } = stepCharts[name];
  const figuresOf = (of: StepFigures): Figures =>
    Object.fromEntries(columns.map((column) => [column.id, column.of(of)]));
  const series = drawnColumns(name);
  const valuesOf = (figures: StepFigures) => series.map(({ of }) => axisValue(of(figures)));
  return {
    name,
    isEmpty: columns.every(({ id, of }) => id !== base || !axisValue(of(whole))),
    rows: steps.map(figuresOf),
    whole: figuresOf(whole),
    plan:
      shape === 'area'
        ? planColumns(
            steps.map((figures) => valuesOf(figures).map((value) => value ?? 0)),
            { whole: name === 'applications' },
          )
        : planLines(
            series.map(({ of }) => steps.map((figures) => axisValue(of(figures)))),
            name === 'time' ? { least: 1 } : { most: 100 },
          ),
  };
}

const HOUR_MS = 3_600_000;

/** Its place on an axis of things, dollars, hours or percent; null for none. */
function axisValue(figure: Figure): number | null {
  if ('count' in figure) return figure.count;
  if ('money' in figure) return figure.money.minor / 100;
  if ('ms' in figure) return figure.ms === null ? null : figure.ms / HOUR_MS;
  return figure.whole === 0 ? null : (figure.part * 100) / figure.whole;
}

/** A figure in a file; a duration in minutes. */
function cellOf(figure: Figure): CsvCell {
  if ('money' in figure) return figure.money;
  if ('ms' in figure) return figure.ms === null ? null : Math.round(figure.ms / 60_000);
  return 'count' in figure ? figure.count : figure.part;
}

/** A row for each step, with its first and last day. */
async function* everyStep(platform: Reading, period: Period) {
  const { steps } = await cachedStatistics(platform, period);
  yield* steps.map((figures, step) => ({ ...daysOfStep(period, step), figures }));
}

type StepInFile = ReturnType<typeof everyStep> extends AsyncIterable<infer Row> ? Row : never;

const stepColumns = (name: StepChartName): CsvColumns<StepInFile> => ({
  from: ({ first }) => first,
  to: ({ last }) => last,
  ...Object.fromEntries(
    stepCharts[name].columns.flatMap(({ csv, of }) =>
      csv ? [[csv, ({ figures }: StepInFile) => cellOf(of(figures))]] : [],
    ),
  ),
  ...(name === 'revenue' && { currency: () => 'USD' }),
});

async function* everyNationality({ readLagging }: Reading, period: Period) {
  yield* await readLagging((db) => countNationalities(db, period, null));
}

const nationalityColumns: CsvColumns<NationalityRow> = {
  nationality: ({ code }) => code,
  visa: ({ visa }) => visa,
  insurance: ({ insurance }) => insurance,
};

/** The data of one chart. */
export const chartFile: DeskFile = {
  right(query) {
    const chart = readChart(query.get('chart'));
    return chart && chart !== 'nationalities' ? stepCharts[chart].right : 'view_statistics';
  },
  open({ platform, query }) {
    const chart = readChart(query.get('chart'));
    if (!chart) return null;
    const today = toPlainDate(platform.now(), UTC);
    const period = readRangePeriod(query, today);
    const name = `${chart}-${period.range}-${today}`;
    return {
      action: 'statistics_exported',
      subject: { kind: 'statistics', id: chart },
      detail: { range: period.range, by: period.step },
      file:
        chart === 'nationalities'
          ? csvDownload(name, nationalityColumns, everyNationality(platform, period))
          : csvDownload(name, stepColumns(chart), everyStep(platform, period)),
    };
  },
};

/** Applications submitted in the period, oldest first, after a known one. */
export function submittedPage(
  db: Queryable,
  period: Period,
  last: { createdAt: Date; id: string } | null,
  limit: number,
) {
  const { createdAt, id } = application;
  const after = last
    ? sql`and (${createdAt}, ${id}) > (${last.createdAt.toISOString()}::timestamptz, ${last.id}::uuid)`
    : sql``;
  // What has been refunded of its lines, and when the last refund was completed; others do not count.
  const given = db
    .select({
      minor: sql<number>`coalesce(sum(${orderRefundLine.amountMinor}), 0)::int`.as('minor'),
      at: max(orderRefund.completedAt).as('at'),
    })
    .from(orderLine)
    .innerJoin(orderRefundLine, eq(orderRefundLine.orderLineId, orderLine.id))
    .innerJoin(orderRefund, eq(orderRefund.id, orderRefundLine.refundId))
    .where(
      and(eq(orderLine.applicationNumber, application.number), isNotNull(orderRefund.completedAt)),
    )
    .as('given');
  return db
    .select({
      id,
      number: application.number,
      kind: application.kind,
      status: application.status,
      countryCode: application.countryCode,
      service: application.service,
      createdAt,
      paidAt: application.paidAt,
      decidedAt: application.decidedAt,
      promisedAt: application.promisedAt,
      amountMinor: application.amountMinor,
      currency: application.currency,
      refundedMinor: given.minor,
      refundedAt: given.at,
    })
    .from(application)
    .crossJoinLateral(given)
    .where(sql`${within(sql`${createdAt}`, spanOf(period))} ${after}`)
    .orderBy(createdAt, id)
    .limit(limit);
}

type ExportedRow = Awaited<ReturnType<typeof submittedPage>>[number];

const momentText = (at: Date | null) => at?.toISOString() ?? null;

/** Moments are UTC. No names, addresses or documents of travellers. */
export const applicationsColumns = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  nationality: ({ countryCode }) => countryCode,
  processing_type: ({ service }) => service,
  submitted: ({ createdAt }) => momentText(createdAt),
  paid: ({ paidAt }) => momentText(paidAt),
  decided: ({ decidedAt }) => momentText(decidedAt),
  promised: ({ promisedAt }) => momentText(promisedAt),
  amount: ({ amountMinor }) => usd(amountMinor),
  currency: ({ currency }) => currency,
  refunded: ({ refundedMinor }) => usd(refundedMinor),
  refunded_at: ({ refundedAt }) => momentText(refundedAt),
} satisfies CsvColumns<ExportedRow>;

/** Every application submitted in the period, oldest first. */
export const submittedApplicationRows = (readLagging: ReadLagging, period: Period) =>
  everyRow<ExportedRow>((last, limit) =>
    readLagging((db) => submittedPage(db, period, last, limit)),
  );

/** Every application submitted in a period, one line each. */
export const applicationsFile: DeskFile = {
  right: () => 'export_applications',
  open({ platform, query }) {
    const today = toPlainDate(platform.now(), UTC);
    const period = readRangePeriod(query, today);
    return {
      action: 'applications_exported',
      subject: { kind: 'statistics', id: 'applications' },
      detail: { range: period.range },
      file: csvDownload(
        `all-applications-${period.range}-${today}`,
        applicationsColumns,
        submittedApplicationRows(platform.readLagging, period),
      ),
    };
  },
};
