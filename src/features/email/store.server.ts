import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { notice } from './tables.server.ts';

export type Notice = typeof notice.$inferSelect;

/** Notes an e-mail that is to be sent, once per occasion; a later note of the same occasion changes nothing. */
export async function noteNotice(db: Queryable, row: typeof notice.$inferInsert): Promise<void> {
  await db.insert(notice).values(row).onConflictDoNothing({ target: notice.occasion });
}

/**
 * Takes an unsent e-mail for this process. Null when it has been sent, or when somebody else took it after
 * `takenAfter` and has not given it back.
 */
export async function claimNotice(
  db: Queryable,
  occasion: string,
  { now, takenAfter }: { now: Date; takenAfter: Date },
): Promise<Notice | null> {
  const [row] = await db
    .update(notice)
    .set({ claimedAt: now, tries: sql`${notice.tries} + 1` })
    .where(
      and(
        eq(notice.occasion, occasion),
        isNull(notice.sentAt),
        or(isNull(notice.claimedAt), lt(notice.claimedAt, takenAfter)),
      ),
    )
    .returning();
  return row ?? null;
}

export async function releaseNotice(db: Queryable, id: string): Promise<void> {
  await db
    .update(notice)
    .set({ claimedAt: null })
    .where(and(eq(notice.id, id), isNull(notice.sentAt)));
}

export async function markSent(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.update(notice).set({ sentAt: now, claimedAt: null }).where(eq(notice.id, id));
}

export async function isSent(db: Queryable, occasion: string): Promise<boolean> {
  const [row] = await db
    .select({ sentAt: notice.sentAt })
    .from(notice)
    .where(eq(notice.occasion, occasion));
  return Boolean(row?.sentAt);
}

/** Communication is kept two years (KVKK table). */
export async function deleteNotices(db: Queryable, before: Date): Promise<void> {
  await db.delete(notice).where(lt(notice.createdAt, before));
}
