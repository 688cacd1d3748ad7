import { and, eq, isNotNull, max, sql } from 'drizzle-orm';
import { everyRow } from '~/base/cursor.ts';
import { csvDownload, type CsvColumns } from '~/platform/http/csv.server.ts';
import { makeComparer } from '~/base/intl.ts';
import { intlLocale, type Language } from '~/base/languages.ts';
import { usd, type Money } from '~/base/money.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import {
  isPromiseKeptSql,
  promiseFellDueSql,
  type PromisesKept,
} from '~/features/application/promise-record.server.ts';
import { isVisaDecidedSql } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { orderLine, orderRefund, orderRefundLine } from '~/features/order/tables.server.ts';
import {
  reportRows,
  reportsBetween,
  type ReportRow,
} from '~/features/payment/reconcile/store.server.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import { moment, within, type Span } from '~/platform/postgres/span.server.ts';
import { moneyByPartner, stepOf, sumBySteps } from './ledger.server.ts';
import { daysOfStep, spanOf, type Days, type Period } from './period.tsx';
import { countLooks } from './second-looks.server.ts';
import { readWork } from './work.server.ts';

/*
 * The figures of a period, each aggregated in one statement over one index (`application_submitted`,
 * `application_visa_decided`, `application_promised`), money by the ledger. A step is its number in the period, from
 * 0; the row without a step is that of the whole period. Steps in which nothing happened are left out.
 */

export type FiguresView = Awaited<ReturnType<typeof figuresView>>;

/** What somebody of a role may see of a period, in one snapshot of the database, which may lag behind. */
export async function figuresView(
  platform: Pick<Platform, 'db' | 'readLagging' | 'now' | 'config'>,
  period: Period,
  { role, language }: { role: Role; language: Language },
) {
  const now = platform.now();
  const span = spanOf(period);
  const office = await currentOffice(platform);
  const seesMoney = may(role, 'view_payments');
  const read = await platform.readLagging((db) =>
    db.transaction(
      async (tx) => ({
        ...(await readSteps(tx, period, now, may(role, 'view_revenue'))),
        nationalities: await countByNationality(tx, span, now),
        work: may(role, 'view_work') ? await readWork(tx, { span, now, office }) : null,
        looks: may(role, 'second_look') ? await countLooks(tx, period) : null,
        partners: seesMoney ? await moneyByPartner(tx, platform.config, span) : null,
        books: seesMoney ? await readExceptions(tx, period) : null,
      }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
  const names = await staffNames(platform.db, read.work?.people.map(({ id }) => id) ?? []);
  const countries = new Map((await allCountries(platform)).map(({ code, name }) => [code, name]));
  return {
    ...read,
    asOf: now,
    work: read.work && {
      ...read.work,
      // By name: the order says nothing about the work.
      people: read.work.people
        .map((one) => ({ ...one, name: names.get(one.id) ?? one.id }))
        .toSorted((a, b) => makeComparer(intlLocale(language))(a.name, b.name)),
    },
    nationalities: read.nationalities.map((row) => ({
      ...row,
      name: countryName({ code: row.code, name: countries.get(row.code) ?? row.code }, language),
    })),
  };
}

/** What is counted of each step of a period, and of the whole. */
type StepFigures = {
  /** Submitted applications. */
  visa: number;
  insurance: number;
  /** By our ledger, as by partner; null for who may not see it. */
  captured: Money | null;
  refunded: Money | null;
  /** Decisions about paid visa applications. */
  decided: number;
  approved: number;
  /** Milliseconds from payment to decision: the median and the 90th percentile. Null without any. */
  medianMs: number | null;
  ninetiethMs: number | null;
} & PromisesKept;

const NO_FIGURES: StepFigures = {
  visa: 0,
  insurance: 0,
  captured: null,
  refunded: null,
  decided: 0,
  approved: 0,
  medianMs: null,
  ninetiethMs: null,
  due: 0,
  kept: 0,
};

/** The figures of each step with its days, and of the whole, of which some are no sum. */
export async function readSteps(db: Queryable, period: Period, now: Date, withMoney: boolean) {
  const rows = [
    ...(await countSubmitted(db, period)),
    ...(withMoney ? await sumBySteps(db, period) : []),
    ...(await readDecisions(db, period)),
    ...(await countPromisesByStep(db, period, now)),
  ];
  const none = withMoney ? { ...NO_FIGURES, captured: usd(0), refunded: usd(0) } : NO_FIGURES;
  const figuresOf = (asked: number | null): StepFigures =>
    rows.reduce(
      (all, { step, ...figures }) => (step === asked ? { ...all, ...figures } : all),
      none,
    );
  return {
    steps: period.starts.map((_, step) => ({ ...daysOfStep(period, step), ...figuresOf(step) })),
    whole: figuresOf(null),
  };
}

type StepRow<Figures> = Figures & { step: number | null };

/** Submitted applications. */
async function countSubmitted(db: Queryable, period: Period) {
  const { rows } = await db.execute<StepRow<Pick<StepFigures, 'visa' | 'insurance'>>>(sql`
    select step, count(*) filter (where kind = 'visa')::int as visa,
      count(*) filter (where kind = 'insurance')::int as insurance
    from (
      select ${stepOf(sql`created_at`, period)} as step, kind from ${application}
      where ${within(sql`created_at`, spanOf(period))}
    ) as submitted group by grouping sets ((step), ())`);
  return rows;
}

/** How many visas were decided, how, and how long it took. */
async function readDecisions(db: Queryable, period: Period) {
  const { rows } = await db.execute<
    StepRow<Pick<StepFigures, 'decided' | 'approved' | 'medianMs' | 'ninetiethMs'>>
  >(sql`
    select step, count(*)::int as decided, count(*) filter (where status = 'approved')::int as approved,
      (percentile_disc(0.5) within group (order by took))::float8 as "medianMs",
      (percentile_disc(0.9) within group (order by took))::float8 as "ninetiethMs"
    from (
      select ${stepOf(sql`decided_at`, period)} as step, status,
        (extract(epoch from decided_at - paid_at) * 1000)::bigint as took
      from ${application} where ${isVisaDecidedSql(spanOf(period))}
    ) as decision group by grouping sets ((step), ())`);
  return rows;
}

/** Promises that fell due. */
async function countPromisesByStep(db: Queryable, period: Period, now: Date) {
  const { rows } = await db.execute<StepRow<PromisesKept>>(sql`
    select step, count(*)::int as due, count(*) filter (where is_kept)::int as kept
    from (
      select ${stepOf(sql`a.promised_at`, period)} as step, ${isPromiseKeptSql} as is_kept
      from ${application} a where ${promiseFellDueSql(spanOf(period), now)}
    ) as promise group by grouping sets ((step), ())`);
  return rows;
}

type NationalityRow = {
  code: string;
  /** Submitted in the span. */
  visa: number;
  insurance: number;
  /** Visas that wait for staff now, and for how long the median of them, in milliseconds since payment. */
  waiting: number;
  waitingMs: number | null;
  /** Paid visas decided in the span, without what travellers withdrew, and rejected of them. */
  decided: number;
  rejected: number;
};

/** Applications by nationality, those with most to do first. */
async function countByNationality(db: Queryable, span: Span, now: Date): Promise<NationalityRow[]> {
  const none = sql`null::float8`;
  // Rejections alone are looked at one by one; the index has the others whole.
  const isDecided = sql`kind = 'visa' and paid_at is not null and decided_at is not null
    and ${within(sql`decided_at`, span)}`;
  const { rows } = await db.execute<NationalityRow>(sql`
    select code, sum(visa)::int as visa, sum(insurance)::int as insurance, sum(waiting)::int as waiting,
      max(waiting_ms) as "waitingMs", sum(decided)::int as decided, sum(rejected)::int as rejected
    from (
      select country_code as code, count(*) filter (where kind = 'visa') as visa,
        count(*) filter (where kind = 'insurance') as insurance, 0 as waiting, ${none} as waiting_ms, 0 as decided,
        0 as rejected
      from ${application} where ${within(sql`created_at`, span)} group by country_code
      union all
      select country_code, 0, 0, 0, ${none}, count(*), 0
      from ${application} where ${isDecided} and status = 'approved' group by country_code
      union all
      select country_code, 0, 0, 0, ${none}, count(*), count(*)
      from ${application} where ${isDecided} and status = 'rejected' and rejection_code is distinct from 'withdrawn'
      group by country_code
      union all
      select country_code, 0, 0, count(*), percentile_disc(0.5) within group (
        order by extract(epoch from ${moment(now)} - paid_at) * 1000)::float8, 0, 0
      from ${application} where kind = 'visa' and ${isWaitingSql(application)} group by country_code
    ) as counted group by code order by sum(visa) + sum(insurance) + sum(waiting) desc, code`);
  return rows;
}

/** Differences shown at once; the file has all. */
const MAX_DIFFERENCES = 100;

/** Whether anything was compared with the partners' books, and whose comparison of which UTC day is not finished. */
async function readComparisons(db: Queryable, { first, last }: Days) {
  const reports = await reportsBetween(db, first, last);
  return {
    isCompared: reports.length > 0,
    unfinished: reports.flatMap(({ day, provider, finishedAt, unanswered }) =>
      finishedAt === null ? [{ day, provider, unanswered }] : [],
    ),
  };
}

/** The same, with where our ledger and the books differ. */
async function readExceptions(db: Queryable, days: Days) {
  const page = { differing: true, after: null, limit: MAX_DIFFERENCES + 1 };
  const differences = await reportRows(db, days, page);
  return {
    ...(await readComparisons(db, days)),
    differences: differences.slice(0, MAX_DIFFERENCES),
    hasMore: differences.length > MAX_DIFFERENCES,
  };
}

type Step = Awaited<ReturnType<typeof readSteps>>['steps'][number];
type Asked = { platform: Platform; period: Period; role: Role };

async function* everyOne<Row>(read: () => Promise<readonly Row[]>): AsyncGenerator<Row> {
  yield* await read();
}

const minutes = (ms: number | null) => (ms === null ? null : Math.round(ms / 60_000));
const dollars = (minor: number | null) => (minor === null ? null : usd(minor));

const moneyColumns: CsvColumns<Step> = {
  captured: ({ captured }) => captured,
  refunded: ({ refunded }) => refunded,
  currency: () => 'USD',
};

/** A row for each step, with its first and last day; money for those who may see it. */
export function stepsFile({ platform, period, role }: Asked): Response {
  const withMoney = may(role, 'view_revenue');
  const columns: CsvColumns<Step> = {
    from: ({ first }) => first,
    to: ({ last }) => last,
    visa: ({ visa }) => visa,
    insurance: ({ insurance }) => insurance,
    ...(withMoney && moneyColumns),
    decided: ({ decided }) => decided,
    approved: ({ approved }) => approved,
    median_minutes: ({ medianMs }) => minutes(medianMs),
    ninetieth_percentile_minutes: ({ ninetiethMs }) => minutes(ninetiethMs),
    due: ({ due }) => due,
    kept: ({ kept }) => kept,
  };
  const rows = everyOne(() =>
    platform.readLagging(
      async (db) => (await readSteps(db, period, platform.now(), withMoney)).steps,
    ),
  );
  return csvDownload(`figures-${period.first}-to-${period.last}`, columns, rows);
}

const nationalityColumns: CsvColumns<NationalityRow> = {
  nationality: ({ code }) => code,
  visa: ({ visa }) => visa,
  insurance: ({ insurance }) => insurance,
  waiting: ({ waiting }) => waiting,
  median_waiting_minutes: ({ waitingMs }) => minutes(waitingMs),
  decided: ({ decided }) => decided,
  rejected: ({ rejected }) => rejected,
};

export const nationalitiesFile = ({ platform, period }: Asked): Response =>
  csvDownload(
    `nationalities-${period.first}-to-${period.last}`,
    nationalityColumns,
    everyOne(() =>
      platform.readLagging((db) => countByNationality(db, spanOf(period), platform.now())),
    ),
  );

const bookColumns: CsvColumns<ReportRow> = {
  day: ({ day }) => day,
  provider: ({ provider }) => provider,
  order: ({ reference }) => reference,
  attempt: ({ attemptId }) => attemptId,
  state: ({ state }) => state,
  currency: () => 'USD',
  captured_that_day: ({ capturedMinor }) => dollars(capturedMinor),
  refunded_that_day: ({ refundedMinor }) => dollars(refundedMinor),
  our_captured: ({ ourCapturedMinor }) => dollars(ourCapturedMinor),
  our_refunded: ({ ourRefundedMinor }) => dollars(ourRefundedMinor),
  our_refunding: ({ ourRefundingMinor }) => dollars(ourRefundingMinor),
  their_captured: ({ theirCapturedMinor }) => dollars(theirCapturedMinor),
  their_capture_id: ({ theirCaptureId }) => theirCaptureId,
  their_refunded: ({ theirRefundedMinor }) => dollars(theirRefundedMinor),
  differences: ({ differences }) => differences.join(' '),
  settled_by_this_run: ({ settled }) => (settled ? 'yes' : 'no'),
};

/** Every attempt compared with the partners' books; the name says so where a comparison is not finished. */
export async function booksFile({ platform: { db }, period }: Asked): Promise<Response> {
  const { first, last } = period;
  const { unfinished } = await readComparisons(db, period);
  return csvDownload(
    `reconciliation-${first}-to-${last}${unfinished.length > 0 ? '-unfinished' : ''}`,
    bookColumns,
    everyRow<ReportRow>((after, limit) =>
      reportRows(db, period, { differing: false, after, limit }),
    ),
  );
}

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
export const applicationsFile = ({ platform, period }: Asked): Response =>
  csvDownload(
    `applications-${period.first}-to-${period.last}`,
    applicationsColumns,
    submittedApplicationRows(platform.readLagging, period),
  );
