import { desc, eq, lt } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deletionRecord } from './tables.server.ts';

export type DeletionRecord = typeof deletionRecord.$inferSelect;

/** Proof of a deletion, in the transaction that deletes. */
export async function insertDeletionRecord(
  tx: Transaction,
  row: typeof deletionRecord.$inferInsert,
): Promise<void> {
  await tx.insert(deletionRecord).values(row);
}

/** The newest records first. */
export const latestDeletions = (db: Queryable, limit: number): Promise<DeletionRecord[]> =>
  db
    .select()
    .from(deletionRecord)
    .orderBy(desc(deletionRecord.at), desc(deletionRecord.id))
    .limit(limit);

export async function deletionOfCase(
  db: Queryable,
  caseId: string,
): Promise<DeletionRecord | null> {
  const [row] = await db.select().from(deletionRecord).where(eq(deletionRecord.caseId, caseId));
  return row ?? null;
}

export async function deleteDeletionRecords(db: Queryable, before: Date): Promise<void> {
  await db.delete(deletionRecord).where(lt(deletionRecord.at, before));
}
