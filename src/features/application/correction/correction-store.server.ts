import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
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

/** All corrections asked of one application, newest first. */
export async function correctionsOf(db: Queryable, applicationId: string): Promise<Correction[]> {
  return db
    .select()
    .from(applicationCorrection)
    .where(eq(applicationCorrection.applicationId, applicationId))
    .orderBy(desc(applicationCorrection.askedAt));
}

/** The same for several applications, by id; those of which nothing was asked are absent. */
export async function correctionsByApplication(
  db: Queryable,
  applicationIds: string[],
): Promise<Map<string, Correction[]>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(applicationCorrection)
    .where(inArray(applicationCorrection.applicationId, applicationIds))
    .orderBy(desc(applicationCorrection.askedAt));
  return Map.groupBy(rows, ({ applicationId }) => applicationId);
}

export const isOpenCorrection = and(
  isNull(applicationCorrection.answeredAt),
  isNull(applicationCorrection.closedAt),
);

const CHANGES = 'application_correction.changes';

const changesShape = z.array(
  z.object({ field: z.string(), before: z.string(), after: z.string() }),
);

/**
 * Stores the changes of an open correction, sealed because they hold document numbers. The caller has locked the
 * application.
 * @throws Error where it was answered or closed before.
 */
export async function markAnswered(
  tx: Transaction,
  sealer: Sealer,
  { id, at, changes }: { id: string; at: Date; changes: readonly Change[] },
): Promise<void> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ answeredAt: at, changes: sealer.seal(JSON.stringify(changes), `${CHANGES}:${id}`) })
    .where(and(eq(applicationCorrection.id, id), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  if (rows.length === 0) throw new Error('The correction is over');
}

/** What an answer changed; empty before there is one. */
export function openChanges(sealer: Sealer, { id, changes }: Correction): Change[] {
  if (changes === null) return [];
  return changesShape.parse(JSON.parse(sealer.unsealText(changes, `${CHANGES}:${id}`)));
}

/**
 * Closes a correction without an answer and returns its id; null where it was answered or closed before. `isExpired`: because it
 * was not answered in time.
 */
export async function closeCorrection(
  tx: Transaction,
  applicationId: string,
  at: Date,
  { isExpired = false } = {},
): Promise<string | null> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ closedAt: at, ...(isExpired && { expiredAt: at }) })
    .where(and(eq(applicationCorrection.applicationId, applicationId), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  return rows[0]?.id ?? null;
}

export async function deleteCorrections(tx: Transaction, applicationIds: string[]): Promise<void> {
  await tx
    .delete(applicationCorrection)
    .where(inArray(applicationCorrection.applicationId, applicationIds));
}
