import { and, eq } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/database.server.ts';
import { gatewayTransaction } from './tables.server.ts';

export type GatewayTransaction = typeof gatewayTransaction.$inferSelect;

/** Makes the transaction of an order reference, or returns the one there is: posting twice makes one. */
export async function registerTransaction(
  db: Queryable,
  row: typeof gatewayTransaction.$inferInsert,
): Promise<GatewayTransaction> {
  await db.insert(gatewayTransaction).values(row).onConflictDoNothing();
  const known = await transactionByOrder(db, row.orderRef);
  if (!known) throw new Error('The simulated gateway lost a transaction');
  return known;
}

export async function transactionByOrder(
  db: Queryable,
  orderRef: string,
): Promise<GatewayTransaction | null> {
  const [row] = await db
    .select()
    .from(gatewayTransaction)
    .where(eq(gatewayTransaction.orderRef, orderRef));
  return row ?? null;
}

/** Decides a transaction once; null when it was decided before. */
export async function decideTransaction(
  tx: Transaction,
  orderRef: string,
  values: Partial<typeof gatewayTransaction.$inferInsert>,
): Promise<GatewayTransaction | null> {
  const [row] = await tx
    .update(gatewayTransaction)
    .set(values)
    .where(and(eq(gatewayTransaction.orderRef, orderRef), eq(gatewayTransaction.status, 'created')))
    .returning();
  return row ?? null;
}

/** Gives back once per `refundRef`; false when that would exceed the capture. */
export async function addRefund(
  db: Database,
  refund: { orderRef: string; refundRef: string; minor: number; capturedMinor: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(gatewayTransaction)
      .where(eq(gatewayTransaction.orderRef, refund.orderRef))
      .for('update');
    if (row?.status !== 'completed') return false;
    if (refund.refundRef in row.refunds) return true;
    const refunds = { ...row.refunds, [refund.refundRef]: refund.minor };
    const total = Object.values(refunds).reduce((sum, minor) => sum + minor, 0);
    if (total > refund.capturedMinor) return false;
    await tx.update(gatewayTransaction).set({ refunds }).where(eq(gatewayTransaction.id, row.id));
    return true;
  });
}
