import { and, eq, isNotNull, max, sql, type SQL } from 'drizzle-orm';
import { application } from '~/features/application/tables.server.ts';
import { order, orderLine, orderRefund, orderRefundLine } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Period } from './period.ts';

/*
 * The data of the charts, each aggregated in one statement over one index (`application_submitted`,
 * `application_visa_decided`, `order_paid_at`, `payment_attempt_given_back`). A step is its number in the period, from
 * 0.
 */

const midnight = (day: string) => `${day}T00:00:00Z`;

/** The number of a moment's step in the period. */
const stepOf = (moment: SQL, { starts }: Period): SQL =>
  sql`width_bucket(${moment}, ${sql.param(starts.map(midnight))}::timestamptz[]) - 1`;

const within = (moment: SQL, { starts, end }: Period): SQL =>
  sql`${moment} >= ${midnight(starts[0] ?? end)} and ${moment} < ${midnight(end)}`;

export type SubmittedRow = { step: number; visa: number; insurance: number };

/** Submitted applications by step; empty steps are left out. */
export async function countSubmitted(db: Queryable, period: Period): Promise<SubmittedRow[]> {
  const { rows } = await db.execute<SubmittedRow>(sql`
    select step, count(*) filter (where kind = 'visa')::int as visa,
      count(*) filter (where kind = 'insurance')::int as insurance
    from (
      select ${stepOf(sql`created_at`, period)} as step, kind from ${application}
      where ${within(sql`created_at`, period)}
    ) as submitted group by step`);
  return rows;
}

export type NationalityRow = { code: string; visa: number; insurance: number };

/** Nationalities by submitted applications, most first; equal ones by code. */
export async function countNationalities(
  db: Queryable,
  period: Period,
  limit: number | null,
): Promise<NationalityRow[]> {
  const { rows } = await db.execute<NationalityRow>(sql`
    select country_code as code, count(*) filter (where kind = 'visa')::int as visa,
      count(*) filter (where kind = 'insurance')::int as insurance
    from ${application} where ${within(sql`created_at`, period)}
    group by country_code order by count(*) desc, country_code limit ${limit}`);
  return rows;
}

export type RevenueRow = { step: number; paidMinor: number; refundedMinor: number };

/** Payments of each step, and what has been refunded of them since. */
export async function sumRevenue(db: Queryable, period: Period): Promise<RevenueRow[]> {
  // Refunded captures are few: an index of their own covers them, without reading the table.
  const { rows } = await db.execute<Record<keyof RevenueRow, string>>(sql`
    select step, sum(amount_minor) as "paidMinor", coalesce(sum(refunded_minor), 0) as "refundedMinor"
    from (
      select ${stepOf(sql`paid_at`, period)} as step, ${order}.amount_minor, given_back.refunded_minor
      from ${order}
        left join ${paymentAttempt} as given_back on given_back.id = paid_by and given_back.refunded_minor > 0
      where not lab and ${within(sql`paid_at`, period)}
    ) as paid group by step`);
  return rows.map(({ step, paidMinor, refundedMinor }) => ({
    step: Number(step),
    paidMinor: Number(paidMinor),
    refundedMinor: Number(refundedMinor),
  }));
}

export type DecisionsRow = {
  /** Null: the whole period. */
  step: number | null;
  decided: number;
  approved: number;
  /** Milliseconds from payment to decision: the median and the 90th percentile. Null without any. */
  medianMs: number | null;
  ninetiethMs: number | null;
};

/**
 * Decisions about paid visa applications by step, and for the whole period. Insurance is mostly approved automatically,
 * and what a traveller withdrew nobody decided.
 */
export async function readDecisions(db: Queryable, period: Period): Promise<DecisionsRow[]> {
  const { rows } = await db.execute<DecisionsRow & { percentiles: string[] | null }>(sql`
    select step, count(*)::int as decided, count(*) filter (where status = 'approved')::int as approved,
      percentile_disc(array[0.5, 0.9]) within group (order by took) as percentiles
    from (
      select ${stepOf(sql`decided_at`, period)} as step, status,
        (extract(epoch from decided_at - paid_at) * 1000)::bigint as took
      from ${application}
      where kind = 'visa' and paid_at is not null and ${within(sql`decided_at`, period)}
        and rejection_code is distinct from 'withdrawn'
    ) as decision group by grouping sets ((step), ())`);
  return rows.map(({ percentiles, ...row }) => {
    const [median, ninetieth] = percentiles ?? [];
    return {
      ...row,
      medianMs: median === undefined ? null : Number(median),
      ninetiethMs: ninetieth === undefined ? null : Number(ninetieth),
    };
  });
}

export type ExportedRow = {
  id: string;
  number: string;
  kind: string;
  status: string;
  countryCode: string;
  service: string;
  createdAt: Date;
  paidAt: Date | null;
  decidedAt: Date | null;
  promisedAt: Date | null;
  amountMinor: number;
  currency: string;
  /** What has been refunded of its lines, and when the last refund was completed; others do not count. */
  refundedMinor: number;
  refundedAt: Date | null;
};

/** Applications submitted in the period, oldest first, after a known one. */
export async function submittedAfter(
  db: Queryable,
  period: Period,
  last: Pick<ExportedRow, 'createdAt' | 'id'> | null,
  limit: number,
): Promise<ExportedRow[]> {
  const { createdAt, id } = application;
  const after = last
    ? sql`and (${createdAt}, ${id}) > (${last.createdAt.toISOString()}::timestamptz, ${last.id}::uuid)`
    : sql``;
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
    .where(sql`${within(sql`${createdAt}`, period)} ${after}`)
    .orderBy(createdAt, id)
    .limit(limit);
}
