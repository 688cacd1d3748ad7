import { and, asc, desc, eq, gte, lt } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deletionRecord } from './tables.server.ts';

/** The cause of a record that says that a backup was restored: deletions since the backup are undone by that. */
export const RESTORE = 'restore';

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

/** When a backup was restored last, at a moment or after it. */
export async function restoredSince(db: Queryable, since: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: deletionRecord.at })
    .from(deletionRecord)
    .where(and(eq(deletionRecord.cause, RESTORE), gte(deletionRecord.at, since)))
    .orderBy(desc(deletionRecord.at))
    .limit(1);
  return row?.at ?? null;
}

export async function deletionOfCase(
  db: Queryable,
  caseId: string,
): Promise<DeletionRecord | null> {
  // Of one that was done again after a restore, the first has what there was.
  const [row] = await db
    .select()
    .from(deletionRecord)
    .where(eq(deletionRecord.caseId, caseId))
    .orderBy(asc(deletionRecord.at))
    .limit(1);
  return row ?? null;
}

export async function deleteDeletionRecords(db: Queryable, before: Date): Promise<void> {
  await db.delete(deletionRecord).where(lt(deletionRecord.at, before));
}
