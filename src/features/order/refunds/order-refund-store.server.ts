import type { ServiceCode } from '../service-code.ts';
import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  inArray,
  ne,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { usd, type Money } from '~/base/money.ts';
import { isClaiming, refundStates } from '~/features/payment/refund-machine.ts';
import { paymentRefund } from '~/features/payment/tables.server.ts';
import type { Refund } from '~/features/payment/settlement/refund-store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import {
  order,
  orderLine,
  orderRefund,
  orderRefundLine,
  orderCancellation,
} from '../tables.server.ts';

export type OrderRefund = typeof orderRefund.$inferSelect;

type OrderRefundLine = typeof orderRefundLine.$inferSelect;

export type RefundFound = { refund: OrderRefund; payment: Refund };

export async function orderRefundById(db: Queryable, id: string): Promise<RefundFound | null> {
  const [row] = await db
    .select({ refund: orderRefund, payment: paymentRefund })
    .from(orderRefund)
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefund.id))
    .where(eq(orderRefund.id, id));
  return row ?? null;
}

/** An order's refunds with the state of their money, oldest first. */
export async function refundsByOrder(db: Queryable, orderId: string): Promise<RefundFound[]> {
  return db
    .select({ refund: orderRefund, payment: paymentRefund })
    .from(orderRefund)
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefund.id))
    .where(eq(orderRefund.orderId, orderId))
    .orderBy(asc(orderRefund.requestedAt), asc(orderRefund.id));
}

/** The lines of several refunds, in the order of the order's lines. */
export async function linesByRefunds(
  db: Queryable,
  refundIds: string[],
): Promise<
  (OrderRefundLine & { applicationNumber: string; code: string; detail: ServiceCode | null })[]
> {
  if (refundIds.length === 0) return [];
  const rows = await db
    .select({ line: orderRefundLine, of: orderLine })
    .from(orderRefundLine)
    .innerJoin(orderLine, eq(orderLine.id, orderRefundLine.orderLineId))
    .where(inArray(orderRefundLine.refundId, refundIds))
    .orderBy(asc(orderLine.position));
  return rows.map(({ line, of: { applicationNumber, code, detail } }) => ({
    ...line,
    applicationNumber,
    code,
    detail,
  }));
}

const isClaimed = inArray(paymentRefund.state, refundStates.filter(isClaiming));

/**
 * A condition: part of the price that a line of this code sold to the application in another statement's row has neither
 * been refunded nor is being refunded.
 */
export function isAnyLeft(db: Queryable, code: string, applicationNumber: PgColumn): SQL {
  const claimed = db
    .select({ minor: sql`coalesce(sum(${orderRefundLine.amountMinor}), 0)` })
    .from(orderRefundLine)
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefundLine.refundId))
    .where(and(eq(orderRefundLine.orderLineId, orderLine.id), isClaimed));
  return exists(
    db
      .select({ one: sql`1` })
      .from(orderLine)
      .where(
        and(
          eq(orderLine.applicationNumber, applicationNumber),
          eq(orderLine.code, code),
          gt(orderLine.amountMinor, sql`(${claimed})`),
        ),
      ),
  );
}

/** What has been or is being refunded of each line of an order, in cents; lines without any are absent. */
export async function claimedByLine(db: Queryable, orderId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({
      lineId: orderRefundLine.orderLineId,
      minor: sql<number>`sum(${orderRefundLine.amountMinor})::int`,
    })
    .from(orderRefundLine)
    .innerJoin(orderRefund, eq(orderRefund.id, orderRefundLine.refundId))
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefund.id))
    .where(and(eq(orderRefund.orderId, orderId), isClaimed))
    .groupBy(orderRefundLine.orderLineId);
  return new Map(rows.map(({ lineId, minor }) => [lineId, minor]));
}

/**
 * What has been refunded of an application's price, and what is being refunded. A refund that failed is still owed, and
 * counts as being refunded until another one of the same line takes its place.
 */
export type RefundedSums = { done: Money; coming: Money };

const sumWhere = (condition: SQL) =>
  sql<number>`coalesce(sum(${orderRefundLine.amountMinor}) filter (where ${condition}), 0)::int`;

const isReplaced = sql`exists (
  select from ${orderRefundLine} other_line join ${paymentRefund} other on other.id = other_line.refund_id
  where other_line.order_line_id = ${orderRefundLine.orderLineId} and other.id <> ${paymentRefund.id}
    and other.requested_at >= ${paymentRefund.requestedAt}
    and (other.state not in ('failed', 'withdrawn')
      or (other.requested_at, other.id) > (${paymentRefund.requestedAt}, ${paymentRefund.id})))`;

const sums = {
  done: sumWhere(sql`${paymentRefund.state} = 'completed'`),
  coming: sumWhere(
    sql`${paymentRefund.state} in ('requested', 'sent', 'pending')
      or (${paymentRefund.state} = 'failed' and not ${isReplaced})`,
  ),
};

/** As `returnedByApplication`, as a subquery for the application in another statement's row, in cents. */
export const refundSums = (db: Queryable, applicationNumber: PgColumn) =>
  db
    .select({ done: sums.done.as('done'), coming: sums.coming.as('coming') })
    .from(orderRefundLine)
    .innerJoin(orderLine, eq(orderLine.id, orderRefundLine.orderLineId))
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefundLine.refundId))
    .where(eq(orderLine.applicationNumber, applicationNumber));

/** By application number; those without refunds are absent. Refunds that wait for a release are not counted. */
export async function returnedByApplication(
  db: Queryable,
  numbers: string[],
): Promise<Map<string, RefundedSums>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select({
      number: orderLine.applicationNumber,
      ...sums,
    })
    .from(orderRefundLine)
    .innerJoin(orderLine, eq(orderLine.id, orderRefundLine.orderLineId))
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefundLine.refundId))
    .where(inArray(orderLine.applicationNumber, numbers))
    .groupBy(orderLine.applicationNumber);
  return new Map(
    rows.map(({ number, done, coming }) => [number, { done: usd(done), coming: usd(coming) }]),
  );
}

const refundsWithOrder = (db: Queryable) =>
  db
    .select({ refund: orderRefund, payment: paymentRefund, orderNumber: order.number })
    .from(orderRefund)
    .innerJoin(paymentRefund, eq(paymentRefund.id, orderRefund.id))
    .innerJoin(order, eq(order.id, orderRefund.orderId));

/** Refunds that wait for a release, oldest first. */
export const heldRefunds = (db: Queryable, limit: number) =>
  refundsWithOrder(db)
    .where(eq(paymentRefund.state, 'held'))
    .orderBy(asc(paymentRefund.requestedAt))
    .limit(limit);

/** Refunds that nobody asked for, newest first. */
export const automaticRefunds = (db: Queryable, limit: number) =>
  refundsWithOrder(db)
    .where(eq(paymentRefund.requestedBy, 'system'))
    .orderBy(desc(paymentRefund.requestedAt))
    .limit(limit);

/** How many refunds wait for a release and were not asked for by `notBy`, who may not release their own. */
export const heldRefundsSql = ({ notBy }: { notBy: string | Placeholder }): SQL =>
  sql`select count(*) from ${paymentRefund}
    where ${and(eq(paymentRefund.state, 'held'), ne(paymentRefund.requestedBy, notBy))}`;

/** The order that a refund is of; null for an unknown one. */
export async function orderNumberByRefund(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db
    .select({ number: order.number })
    .from(orderRefund)
    .innerJoin(order, eq(order.id, orderRefund.orderId))
    .where(eq(orderRefund.id, id));
  return row?.number ?? null;
}

export type Cancellation = typeof orderCancellation.$inferSelect;

export async function insertCancellation(
  tx: Transaction,
  row: typeof orderCancellation.$inferInsert,
): Promise<void> {
  await tx.insert(orderCancellation).values(row);
}

export async function cancellationById(db: Queryable, id: string): Promise<Cancellation | null> {
  const [row] = await db.select().from(orderCancellation).where(eq(orderCancellation.id, id));
  return row ?? null;
}

/** When the payer cancelled the application in another statement's row; null where they did not. */
export const payerCancelledAtSql = (row: { number: PgColumn; orderNumber: PgColumn }): SQL =>
  sql`(select max(${orderCancellation.cancelledAt}) from ${orderCancellation}
    join ${order} on ${and(eq(order.id, orderCancellation.orderId), eq(order.number, row.orderNumber))}
    where ${row.number} = any(${orderCancellation.applicationNumbers}))`;
