import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Attempt } from './store.server.ts';
import { movingStates, type RefundProgress } from '../refund-machine.ts';
import { paymentAttempt, paymentRefund } from './tables.server.ts';

export type Refund = typeof paymentRefund.$inferSelect;

export async function insertRefund(
  tx: Transaction,
  row: typeof paymentRefund.$inferInsert,
): Promise<Refund> {
  const [stored] = await tx.insert(paymentRefund).values(row).returning();
  if (!stored) throw new Error('The refund was not stored');
  return stored;
}

/** Claims a part of the capture (below zero: gives it back); a check in the database refuses more than there is. */
export async function claim(tx: Transaction, attemptId: string, minor: number): Promise<void> {
  await tx
    .update(paymentAttempt)
    .set({ claimedMinor: sql`${paymentAttempt.claimedMinor} + ${minor}` })
    .where(eq(paymentAttempt.id, attemptId));
}

export async function refundById(db: Queryable, id: string): Promise<Refund | null> {
  const [row] = await db.select().from(paymentRefund).where(eq(paymentRefund.id, id));
  return row ?? null;
}

/** By the provider's own id, for events without ours. */
export async function refundOfProvider(
  db: Queryable,
  attemptId: string,
  providerRefundId: string,
): Promise<Refund | null> {
  const [row] = await db
    .select()
    .from(paymentRefund)
    .where(
      and(
        eq(paymentRefund.attemptId, attemptId),
        eq(paymentRefund.providerRefundId, providerRefundId),
      ),
    );
  return row ?? null;
}

/** All refunds of several attempts, oldest first. */
export async function refundsOf(db: Queryable, attemptIds: string[]): Promise<Refund[]> {
  if (attemptIds.length === 0) return [];
  return db
    .select()
    .from(paymentRefund)
    .where(inArray(paymentRefund.attemptId, attemptIds))
    .orderBy(asc(paymentRefund.requestedAt), asc(paymentRefund.id));
}

/** Changes a refund if its state still is the one that was read; false otherwise. */
export async function changeRefund(
  tx: Transaction,
  { id, from }: { id: string; from: RefundProgress },
  values: Partial<typeof paymentRefund.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(paymentRefund)
    .set(values)
    .where(and(eq(paymentRefund.id, id), eq(paymentRefund.state, from)))
    .returning({ id: paymentRefund.id });
  return rows.length === 1;
}

/** Undecided refunds that are due to be asked about. */
export async function refundsToAsk(db: Queryable, now: Date, limit: number): Promise<Refund[]> {
  return db
    .select()
    .from(paymentRefund)
    .where(
      and(
        isNotNull(paymentRefund.askAt),
        lte(paymentRefund.askAt, now),
        inArray(paymentRefund.state, [...movingStates]),
      ),
    )
    .orderBy(asc(paymentRefund.askAt))
    .limit(limit);
}

/** Late captures without a refund. */
export async function lateCapturesToReturn(db: Queryable, limit: number): Promise<Attempt[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(
      and(
        eq(paymentAttempt.state, 'captured_late'),
        isNotNull(paymentAttempt.captureId),
        sql`not exists (select 1 from ${paymentRefund} where ${paymentRefund.attemptId} = ${paymentAttempt.id})`,
      ),
    )
    .orderBy(asc(paymentAttempt.changedAt))
    .limit(limit);
}
