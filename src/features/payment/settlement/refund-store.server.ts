import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { RefundProgress } from '../refund-machine.ts';
import { paymentAttempt, paymentRefund } from '../tables.server.ts';

export type Refund = typeof paymentRefund.$inferSelect;

/** Claims a part of the capture (below zero: gives it back); a check in the database refuses more than there is. */
export async function claimCapture(
  tx: Transaction,
  attemptId: string,
  minor: number,
): Promise<void> {
  await tx
    .update(paymentAttempt)
    .set({ claimedMinor: sql`${paymentAttempt.claimedMinor} + ${minor}` })
    .where(eq(paymentAttempt.id, attemptId));
}

export async function refundById(db: Queryable, id: string): Promise<Refund | null> {
  const [row] = await db.select().from(paymentRefund).where(eq(paymentRefund.id, id));
  return row ?? null;
}

/** All refunds of several attempts, oldest first. */
export async function refundsByAttempts(db: Queryable, attemptIds: string[]): Promise<Refund[]> {
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
