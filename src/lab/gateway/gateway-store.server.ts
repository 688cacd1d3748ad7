import { and, eq, ne } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { gatewayTransaction } from './tables.server.ts';

export type GatewayTransaction = typeof gatewayTransaction.$inferSelect;

/** Creates the transaction of an order reference, or returns the existing one. */
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

/** Completes a transaction that was decided otherwise, or not at all; false when it was completed before. */
export async function captureTransaction(
  tx: Transaction,
  orderRef: string,
  values: { captureId: string; decidedAt: Date },
): Promise<boolean> {
  const rows = await tx
    .update(gatewayTransaction)
    .set({ ...values, status: 'completed', reason: null })
    .where(
      and(eq(gatewayTransaction.orderRef, orderRef), ne(gatewayTransaction.status, 'completed')),
    )
    .returning({ id: gatewayTransaction.id });
  return rows.length === 1;
}

async function lockTransaction(tx: Transaction, orderRef: string) {
  const [row] = await tx
    .select()
    .from(gatewayTransaction)
    .where(eq(gatewayTransaction.orderRef, orderRef))
    .for('no key update');
  return row ?? null;
}

/** Refunds once per `refundRef`; null where it would exceed the capture. `state`: the refund's result. */
export async function addRefund(
  db: Database,
  refund: {
    orderRef: string;
    refundRef: string;
    minor: number;
    capturedMinor: number;
    state?: 'pending' | 'completed' | 'failed';
  },
): Promise<GatewayTransaction | null> {
  const { orderRef, refundRef, state = 'completed' } = refund;
  return db.transaction(async (tx) => {
    const row = await lockTransaction(tx, orderRef);
    if (row?.status !== 'completed') return null;
    if (Object.hasOwn(row.refunds, refundRef) || Object.hasOwn(row.refundStates, refundRef)) {
      return row;
    }
    const refunds =
      state === 'failed' ? row.refunds : { ...row.refunds, [refundRef]: refund.minor };
    const refundStates =
      state === 'completed' ? row.refundStates : { ...row.refundStates, [refundRef]: state };
    const total = Object.values(refunds).reduce((sum, minor) => sum + minor, 0);
    if (total > refund.capturedMinor) return null;
    await tx
      .update(gatewayTransaction)
      .set({ refunds, refundStates })
      .where(eq(gatewayTransaction.id, row.id));
    return { ...row, refunds, refundStates };
  });
}

/** Decides a pending refund; false when there is none. */
export async function setRefundState(
  tx: Transaction,
  { orderRef, refundRef }: { orderRef: string; refundRef: string },
  state: 'completed' | 'failed',
): Promise<boolean> {
  const row = await lockTransaction(tx, orderRef);
  if (row?.refundStates[refundRef] !== 'pending') return false;
  const without = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).filter(([ref]) => ref !== refundRef));
  const values =
    state === 'completed'
      ? { refundStates: without(row.refundStates) }
      : {
          refunds: without(row.refunds),
          refundStates: { ...row.refundStates, [refundRef]: state },
        };
  await tx.update(gatewayTransaction).set(values).where(eq(gatewayTransaction.id, row.id));
  return true;
}
