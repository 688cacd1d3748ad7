import { and, eq, lt } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { deskDraft } from './tables.server.ts';

export type Draft = typeof deskDraft.$inferSelect;

export async function insertDraft(db: Queryable, row: typeof deskDraft.$inferInsert) {
  await db.insert(deskDraft).values(row);
}

/** A draft, for its author and at its own application; null for others. */
export async function draftOf(
  db: Queryable,
  { id, staffId, applicationId }: Pick<Draft, 'id' | 'staffId' | 'applicationId'>,
): Promise<Draft | null> {
  const [row] = await db
    .select()
    .from(deskDraft)
    .where(
      and(
        eq(deskDraft.id, id),
        eq(deskDraft.staffId, staffId),
        eq(deskDraft.applicationId, applicationId),
      ),
    );
  return row ?? null;
}

/** Its author is shown the email again: it counts as made now. */
export async function markDraftSeen(db: Queryable, id: string, at: Date): Promise<void> {
  await db.update(deskDraft).set({ createdAt: at }).where(eq(deskDraft.id, id));
}

export async function removeDraft(db: Queryable, id: string): Promise<void> {
  await db.delete(deskDraft).where(eq(deskDraft.id, id));
}

export async function deleteDrafts(db: Queryable, before: Date): Promise<void> {
  await db.delete(deskDraft).where(lt(deskDraft.createdAt, before));
}
