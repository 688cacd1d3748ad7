import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import { visaDraft, visaDraftDevice, visaDraftLink } from './tables.server.ts';

export type DraftRow = typeof visaDraft.$inferSelect;

export async function insertDraft(
  tx: Transaction,
  row: typeof visaDraft.$inferInsert,
): Promise<DraftRow> {
  const [stored] = await tx.insert(visaDraft).values(row).returning();
  if (!stored) throw new Error('The draft was not stored');
  return stored;
}

export async function insertDevice(
  tx: Transaction,
  row: typeof visaDraftDevice.$inferInsert,
): Promise<void> {
  await tx.insert(visaDraftDevice).values(row);
}

/** The draft that a browser's token opens, while it lasts. */
export async function draftOfDevice(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<DraftRow | null> {
  const [row] = await db
    .select({ draft: visaDraft })
    .from(visaDraftDevice)
    .innerJoin(visaDraft, eq(visaDraft.id, visaDraftDevice.draftId))
    .where(and(eq(visaDraftDevice.tokenHash, tokenHash), gt(visaDraft.expiresAt, now)));
  return row?.draft ?? null;
}

/** Holds a draft until the transaction ends, so that two tabs are heard one after the other. */
export async function lockDraft(tx: Transaction, id: string): Promise<DraftRow | null> {
  const [row] = await tx.select().from(visaDraft).where(eq(visaDraft.id, id)).for('update');
  return row ?? null;
}

export async function updateDraft(
  tx: Transaction,
  id: string,
  values: Partial<typeof visaDraft.$inferInsert>,
): Promise<DraftRow> {
  const [row] = await tx.update(visaDraft).set(values).where(eq(visaDraft.id, id)).returning();
  if (!row) throw new Error('The draft is gone');
  return row;
}

/** With its devices and links; returns how many. */
export async function deleteExpiredDrafts(db: Queryable, now: Date): Promise<number> {
  const gone = await db
    .delete(visaDraft)
    .where(lte(visaDraft.expiresAt, now))
    .returning({ id: visaDraft.id });
  return gone.length;
}

export async function insertLink(
  tx: Transaction,
  row: typeof visaDraftLink.$inferInsert,
): Promise<void> {
  await tx.insert(visaDraftLink).values(row);
}

const isOpen = (tokenHash: Buffer, now: Date) =>
  and(
    eq(visaDraftLink.tokenHash, tokenHash),
    isNull(visaDraftLink.usedAt),
    gt(visaDraftLink.expiresAt, now),
  );

export async function isLinkOpen(db: Queryable, tokenHash: Buffer, now: Date): Promise<boolean> {
  const rows = await db
    .select({ draftId: visaDraftLink.draftId })
    .from(visaDraftLink)
    .innerJoin(visaDraft, eq(visaDraft.id, visaDraftLink.draftId))
    .where(and(isOpen(tokenHash, now), gt(visaDraft.expiresAt, now)));
  return rows.length > 0;
}

/** Uses a link up and says which draft it opens; null when it was used before, or is over. */
export async function spendLink(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<string | null> {
  const [row] = await tx
    .update(visaDraftLink)
    .set({ usedAt: now })
    .where(isOpen(tokenHash, now))
    .returning({ draftId: visaDraftLink.draftId });
  return row?.draftId ?? null;
}
