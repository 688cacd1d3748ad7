import {
  and,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lte,
  sql,
  type SQLWrapper,
} from 'drizzle-orm';
import { isWaitingSql, queueKeySql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/database.server.ts';
import type { Kind } from './list-filter.ts';

/** What has come in altogether. */
export type Totals = Record<Kind, number> & { revenueMinor: number; revenueThisMonthMinor: number };

/** What came in lately, and what waits. */
export type Work = {
  visaThisWeek: number;
  insuranceThisWeek: number;
  pending: number;
  waiting: number;
  dueSoon: number;
};

const bothKinds = inArray(application.kind, ['visa', 'insurance']);

/** Reads all there is: the better part of a second at a million applications. */
export async function readTotals(db: Queryable, since: { month: Date }): Promise<Totals> {
  const [kinds, revenue] = await Promise.all([countByKind(db, null), readRevenue(db, since.month)]);
  return { ...kinds, ...revenue };
}

/** Reads what is open and new alone: always a few milliseconds. */
export async function readWork(db: Queryable, since: { week: Date; soon: Date }): Promise<Work> {
  const soon = lte(queueKeySql(application), String(since.soon.getTime()));
  const waiting = and(bothKinds, isWaitingSql(application));
  const counted = async (what: typeof waiting) => {
    const [row] = await db.select({ counted: count() }).from(application).where(what);
    return row?.counted ?? 0;
  };
  const [week, pending, all, dueSoon] = await Promise.all([
    countByKind(db, since.week),
    counted(eq(application.status, 'pending')),
    counted(waiting),
    counted(and(waiting, soon)),
  ]);
  return {
    visaThisWeek: week.visa,
    insuranceThisWeek: week.insurance,
    pending,
    waiting: all,
    dueSoon,
  };
}

async function countByKind(db: Queryable, since: Date | null): Promise<Record<Kind, number>> {
  const rows = await db
    .select({ kind: application.kind, counted: count() })
    .from(application)
    .where(and(bothKinds, since ? gte(application.createdAt, since) : undefined))
    .groupBy(application.kind);
  const of = (kind: Kind) => rows.find((row) => row.kind === kind)?.counted ?? 0;
  return { visa: of('visa'), insurance: of('insurance') };
}

/** What paid orders came to minus what was given back of them, in cents: of all, and of those paid since a moment. */
async function readRevenue(db: Queryable, month: Date) {
  const earned = and(isNotNull(order.paidAt), eq(order.lab, false));
  const lately = gte(order.paidAt, month);
  const both = (minor: SQLWrapper) => ({
    all: sql`coalesce(sum(${minor}), 0)`.mapWith(Number),
    month: sql`coalesce(sum(${minor}) filter (where ${lately}), 0)`.mapWith(Number),
  });
  const [[paid], [givenBack]] = await Promise.all([
    db.select(both(order.amountMinor)).from(order).where(earned),
    // Few payments are given back: their index leads to the orders.
    db
      .select(both(paymentAttempt.refundedMinor))
      .from(paymentAttempt)
      .innerJoin(order, eq(order.paidBy, paymentAttempt.id))
      .where(and(gt(paymentAttempt.refundedMinor, 0), earned)),
  ]);
  if (!paid || !givenBack) throw new Error('The revenue was not counted');
  return {
    revenueMinor: paid.all - givenBack.all,
    revenueThisMonthMinor: paid.month - givenBack.month,
  };
}
