import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import { visaCorrection } from '../tables.server.ts';

export type Correction = typeof visaCorrection.$inferSelect;

export async function insertCorrection(
  tx: Transaction,
  row: typeof visaCorrection.$inferInsert,
): Promise<void> {
  await tx.insert(visaCorrection).values(row);
}

export async function correctionById(db: Queryable, id: string): Promise<Correction | null> {
  const [row] = await db.select().from(visaCorrection).where(eq(visaCorrection.id, id));
  return row ?? null;
}

/** All that were asked of one application, the newest first. */
export async function correctionsOf(db: Queryable, applicationId: string): Promise<Correction[]> {
  return db
    .select()
    .from(visaCorrection)
    .where(eq(visaCorrection.applicationId, applicationId))
    .orderBy(desc(visaCorrection.askedAt));
}

const isOpen = and(isNull(visaCorrection.answeredAt), isNull(visaCorrection.closedAt));

/** False where it was answered or closed before. */
export async function markAnswered(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(visaCorrection)
    .set({ answeredAt: at })
    .where(and(eq(visaCorrection.id, id), isOpen))
    .returning({ id: visaCorrection.id });
  return rows.length > 0;
}

/** Nobody waits for the answer any more; false where nobody did. */
export async function closeCorrection(
  tx: Transaction,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(visaCorrection)
    .set({ closedAt: at })
    .where(and(eq(visaCorrection.applicationId, applicationId), isOpen))
    .returning({ id: visaCorrection.id });
  return rows.length > 0;
}
