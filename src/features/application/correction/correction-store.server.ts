import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Change } from './correction.ts';
import { applicationCorrection } from '../tables.server.ts';

export type Correction = typeof applicationCorrection.$inferSelect;

export async function insertCorrection(
  tx: Transaction,
  row: typeof applicationCorrection.$inferInsert,
): Promise<void> {
  await tx.insert(applicationCorrection).values(row);
}

export async function correctionById(db: Queryable, id: string): Promise<Correction | null> {
  const [row] = await db
    .select()
    .from(applicationCorrection)
    .where(eq(applicationCorrection.id, id));
  return row ?? null;
}

/** All that were asked of one application, the newest first. */
export async function correctionsOf(db: Queryable, applicationId: string): Promise<Correction[]> {
  return db
    .select()
    .from(applicationCorrection)
    .where(eq(applicationCorrection.applicationId, applicationId))
    .orderBy(desc(applicationCorrection.askedAt));
}

export const isOpenCorrection = and(
  isNull(applicationCorrection.answeredAt),
  isNull(applicationCorrection.closedAt),
);

/** What is being waited for; null for nothing. */
export async function openCorrectionOf(
  db: Queryable,
  applicationId: string,
): Promise<Correction | null> {
  const [row] = await db
    .select()
    .from(applicationCorrection)
    .where(and(eq(applicationCorrection.applicationId, applicationId), isOpenCorrection));
  return row ?? null;
}

const CHANGES = 'application_correction.changes';
const changesShape = z.array(
  z.object({ field: z.string(), before: z.string(), after: z.string() }),
);

/** False where it was answered or closed before. The changes hold document numbers: they are sealed. */
export async function markAnswered(
  tx: Transaction,
  sealer: Sealer,
  { id, at, changes }: { id: string; at: Date; changes: readonly Change[] },
): Promise<boolean> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ answeredAt: at, changes: sealer.seal(JSON.stringify(changes), `${CHANGES}:${id}`) })
    .where(and(eq(applicationCorrection.id, id), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  return rows.length > 0;
}

/** What an answer changed; nothing for one that is still waited for. */
export function openChanges(sealer: Sealer, { id, changes }: Correction): Change[] {
  if (changes === null) return [];
  return changesShape.parse(JSON.parse(sealer.unsealText(changes, `${CHANGES}:${id}`)));
}

/** Nobody waits for the answer any more; false where nobody did. */
export async function closeCorrection(
  tx: Transaction,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ closedAt: at })
    .where(and(eq(applicationCorrection.applicationId, applicationId), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  return rows.length > 0;
}

/** Notes, and names, those asked before a moment whose travellers have not been reminded yet. */
export async function claimDueReminders(
  tx: Transaction,
  askedBefore: Date,
  at: Date,
): Promise<string[]> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ remindedAt: at })
    .where(
      and(
        isOpenCorrection,
        isNull(applicationCorrection.remindedAt),
        lt(applicationCorrection.askedAt, askedBefore),
      ),
    )
    .returning({ id: applicationCorrection.id });
  return rows.map(({ id }) => id);
}

/** Applications whose traveller was asked before a moment and has not answered. */
export async function unansweredSince(db: Queryable, askedBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ applicationId: applicationCorrection.applicationId })
    .from(applicationCorrection)
    .where(and(isOpenCorrection, lt(applicationCorrection.askedAt, askedBefore)));
  return rows.map(({ applicationId }) => applicationId);
}

/** Closes what nobody answered in time; false where it was closed or answered meanwhile. */
export async function expireCorrection(
  tx: Transaction,
  applicationId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ closedAt: at, expiredAt: at })
    .where(and(eq(applicationCorrection.applicationId, applicationId), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  return rows.length > 0;
}

export async function deleteCorrections(tx: Transaction, applicationIds: string[]): Promise<void> {
  await tx
    .delete(applicationCorrection)
    .where(inArray(applicationCorrection.applicationId, applicationIds));
}
