import { DAY_MS } from '~/base/dates/dates.ts';
import {
  and,
  eq,
  gt,
  gte,
  isNotNull,
  lt,
  lte,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { usd } from '~/base/money.ts';
import { isUndeliveredSql, isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import { SOON_HOURS } from '../frame/formats.ts';
import type { QueueKind } from '../queue/list-filter.ts';

type Since = { month: Date; week: Date; now: Date; soon: Date };

const given = (moment: keyof Since) => sql.placeholder(moment);
const number = (name: string) => sql.raw(name).mapWith(Number);

const byKind = (where: SQL): SQL => sql`(select
  count(*) filter (where ${eq(application.kind, 'visa')}) as visa,
  count(*) filter (where ${eq(application.kind, 'insurance')}) as insurance
  from ${application} where ${where})`;

/** Applications, and revenue less refunds, in cents: in all, and of this month. */
const totals = {
  visa: number('kinds.visa'),
  insurance: number('kinds.insurance'),
  revenueMinor: number('paid.whole - given_back.whole'),
  revenueThisMonthMinor: number('paid.month - given_back.month'),
};

function totalParts(): SQL[] {
  const earned = and(isNotNull(order.paidAt), eq(order.lab, false));
  const sums = (minor: SQLWrapper) => sql`coalesce(sum(${minor}), 0) as whole,
    coalesce(sum(${minor}) filter (where ${gte(order.paidAt, given('month'))}), 0) as month`;
  return [
    sql`${byKind(sql`true`)} kinds`,
    sql`(select ${sums(order.amountMinor)} from ${order} where ${earned}) paid`,
    // Refunds are few: their own index leads to the orders.
    sql`(select ${sums(paymentAttempt.refundedMinor)} from ${paymentAttempt}
      inner join ${order} on ${eq(order.paidBy, paymentAttempt.id)}
      where ${and(gt(paymentAttempt.refundedMinor, 0), earned)}) given_back`,
  ];
}

/** What is new, and what is waiting. */
const work = {
  visaThisWeek: number('week.visa'),
  insuranceThisWeek: number('week.insurance'),
  pending: number('pending.counted'),
  waiting: number('waiting.counted'),
  lateVisa: number('waiting.late_visa'),
  lateInsurance: number('waiting.late_insurance'),
  soonVisa: number('waiting.soon_visa'),
  soonInsurance: number('waiting.soon_insurance'),
};

/** What is past its promised moment, or soon will be. */
const dueOf = (kind: QueueKind, when: 'late' | 'soon'): SQL => {
  const { promisedAt } = application;
  const isDue =
    when === 'late'
      ? lt(promisedAt, given('now'))
      : and(gte(promisedAt, given('now')), lte(promisedAt, given('soon')));
  return sql`count(*) filter (where ${and(eq(application.kind, kind), isDue)}) as ${sql.raw(`${when}_${kind}`)}`;
};

const workParts = (): SQL[] => [
  sql`${byKind(gte(application.createdAt, given('week')))} week`,
  sql`(select count(*) as counted from ${application} where ${eq(application.status, 'pending')}) pending`,
  sql`(select count(*) filter (where ${isWaitingSql(application)}) as counted,
    ${dueOf('visa', 'late')}, ${dueOf('insurance', 'late')}, ${dueOf('visa', 'soon')}, ${dueOf('insurance', 'soon')}
    from ${application} where ${or(isWaitingSql(application), isUndeliveredSql(application))}) waiting`,
];

/** Each part returns one row. */
const beside = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` cross join `);

const totalsOnce = prepareOnce((db) =>
  db.select(totals).from(beside(totalParts())).prepare(UNNAMED),
);
const workOnce = prepareOnce((db) => db.select(work).from(beside(workParts())).prepare(UNNAMED));
const bothOnce = prepareOnce((db) =>
  db
    .select({ ...totals, ...work })
    .from(beside([...totalParts(), ...workParts()]))
    .prepare(UNNAMED),
);

/** Reads everything: close to a second at a million applications. */
export const readTotals = (db: Queryable, since: Pick<Since, 'month'>) =>
  only(totalsOnce(db).execute(since));

/** Reads open and new rows only: always a few milliseconds. */
export const readWork = (db: Queryable, since: Omit<Since, 'month'>) =>
  only(workOnce(db).execute(since));

async function only<Row>(reading: PromiseLike<Row[]>): Promise<Row> {
  const [row] = await reading;
  if (!row) throw new Error('The figures were not counted');
  return row;
}

export type QueueCounts = Awaited<ReturnType<typeof readQueueCounts>>;

const SOON_MS = SOON_HOURS * 3600_000;
/** The number of applications from which totals are cached, and for how long. */
const MIN_CACHED_TOTAL = 50_000;
const CACHE_MS = 60_000;

type Totals = Awaited<ReturnType<typeof readTotals>>;
type Cached = { at: number; totals: Totals; renewal: Promise<void> | null };
const cache = new WeakMap<Database, Cached>();

/**
 * The four figures and their details. Lab orders hold no applications and are not counted. Applications: all ever
 * submitted. Pending: applications of both kinds with that status, paid or not. Revenue: paid orders less refunds, by
 * day of payment (UTC).
 *
 * What is waiting and new is counted each time. So are totals until there are many applications: then totals of the
 * last minute are shown, and older ones are renewed in the background, because nobody sees the difference in a million,
 * but everybody would wait for the count.
 */
export async function readQueueCounts(db: Database, now: Date) {
  const since = {
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    week: new Date(now.getTime() - 7 * DAY_MS),
    now,
    soon: new Date(now.getTime() + SOON_MS),
  };
  const known = cache.get(db);
  if (known && now.getTime() - known.at >= CACHE_MS) {
    // In the background, so a failure is ignored: the next page tries again.
    known.renewal ??= readTotals(db, since).then(
      (totals) => cacheTotals(db, now, totals),
      () => void (known.renewal = null),
    );
  }
  const read = known
    ? { ...known.totals, ...(await readWork(db, since)) }
    : await only(bothOnce(db).execute(since));
  if (!known) cacheTotals(db, now, read);
  const { visa, insurance, visaThisWeek, insuranceThisWeek, pending, waiting } = read;
  return {
    visa,
    insurance,
    visaThisWeek,
    insuranceThisWeek,
    pending,
    /** Paid, not decided, and not paused. */
    waiting,
    /** Of those, and of what is approved without its PDF: past the promised moment. */
    late: { visa: read.lateVisa, insurance: read.lateInsurance },
    /** The same, promised within `SOON_HOURS`. */
    dueSoon: { visa: read.soonVisa, insurance: read.soonInsurance },
    revenue: usd(read.revenueMinor),
    revenueThisMonth: usd(read.revenueThisMonthMinor),
  };
}

function cacheTotals(db: Database, now: Date, read: Totals): void {
  const { visa, insurance, revenueMinor, revenueThisMonthMinor } = read;
  if (visa + insurance < MIN_CACHED_TOTAL) return;
  const totals = { visa, insurance, revenueMinor, revenueThisMonthMinor };
  cache.set(db, { at: now.getTime(), totals, renewal: null });
}
