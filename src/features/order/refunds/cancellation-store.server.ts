import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { order, orderCancellation } from '../tables.server.ts';

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
