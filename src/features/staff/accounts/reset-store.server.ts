import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Account } from '../store.server.ts';
import { staffAccount, staffReset } from '../tables.server.ts';

export type Reset = typeof staffReset.$inferSelect;

/** Stores a link unless it is stored already; returns whether it was new. */
export async function insertReset(
  db: Queryable,
  row: typeof staffReset.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(staffReset)
    .values(row)
    .onConflictDoNothing({ target: staffReset.id })
    .returning({ id: staffReset.id });
  return rows.length === 1;
}

/** A valid link with its account; null for an unknown, used or expired one and for a deactivated account. */
export async function openReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<{ reset: Reset; account: Account } | null> {
  const [row] = await db
    .select({ reset: staffReset, account: staffAccount })
    .from(staffReset)
    .innerJoin(staffAccount, eq(staffAccount.id, staffReset.accountId))
    .where(
      and(
        eq(staffReset.tokenHash, tokenHash),
        isNull(staffReset.endedAt),
        gt(staffReset.expiresAt, now),
        eq(staffAccount.active, true),
      ),
    );
  return row ?? null;
}

/** Consumes a link; false where it was used before. */
export async function endReset(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(staffReset)
    .set({ endedAt: now })
    .where(and(eq(staffReset.id, id), isNull(staffReset.endedAt)))
    .returning({ id: staffReset.id });
  return rows.length === 1;
}

/** Deletes links that ended before this moment. */
export async function deleteResets(db: Queryable, before: Date): Promise<void> {
  await db.delete(staffReset).where(lt(staffReset.expiresAt, before));
}
