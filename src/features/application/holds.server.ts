import { and, asc, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { application, legalHold } from './tables.server.ts';

const holdContext = (id: string) => `legal_hold.why:${id}`;

/** Whether the hold of the row stands. */
export const isStandingSql = (now: Date): SQL | undefined =>
  and(isNull(legalHold.liftedAt), gt(legalHold.until, now));

/** Whether a hold stands on the application of the row: on it, or on its whole order. */
export const isHeldSql = (now: Date): SQL =>
  sql`exists (select 1 from ${legalHold} where ${isStandingSql(now)} and ${legalHold.orderNumber} = ${application.orderNumber}
    and (${legalHold.applicationId} is null or ${legalHold.applicationId} = ${application.id}))`;

/**
 * Waits for holds that are being placed or lifted and keeps others from it until the transaction ends. As its first
 * statement it lets a snapshot be taken afterwards, with every hold in it. One at a time, as some delete holds: two with
 * a share lock would wait for each other.
 */
export async function lockHolds(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${legalHold} in share row exclusive mode`);
}

/** Waits for whoever deletes by the holds there are (`lockHolds`), before looking at what a hold is placed on. */
export async function lockHoldPlacement(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${legalHold} in row exclusive mode`);
}

export async function insertHold(
  tx: Transaction,
  sealer: Sealer,
  { why, ...row }: Omit<typeof legalHold.$inferInsert, 'why'> & { why: string },
): Promise<void> {
  await tx.insert(legalHold).values({ ...row, why: sealer.seal(why, holdContext(row.id)) });
}

/** Lifts a hold that stands; returns whether there was one. */
export async function liftHold(
  tx: Transaction,
  id: string,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const lifted = await tx
    .update(legalHold)
    .set({ liftedBy: by, liftedAt: at })
    .where(and(eq(legalHold.id, id), isStandingSql(at)))
    .returning({ id: legalHold.id });
  return lifted.length > 0;
}

/** Holds that stand, those that end first before others; with their reasons, which are personal. */
export async function standingHolds(db: Queryable, sealer: Sealer, now: Date) {
  const rows = await db
    .select({ hold: legalHold, applicationNumber: application.number })
    .from(legalHold)
    .leftJoin(application, eq(application.id, legalHold.applicationId))
    .where(isStandingSql(now))
    .orderBy(asc(legalHold.until), desc(legalHold.placedAt));
  return rows.map(({ hold: { why, ...row }, applicationNumber }) => ({
    ...row,
    why: sealer.unsealText(why, holdContext(row.id)),
    /** Of the application, where the hold is on one. */
    applicationNumber,
  }));
}
