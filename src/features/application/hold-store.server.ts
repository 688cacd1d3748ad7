import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { application, applicationEmail, legalHold } from './tables.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';

const whyOf = (id: string) => `legal_hold.why:${id}`;

type LegalHold = Omit<typeof legalHold.$inferSelect, 'why'> & {
  why: string;
  /** Of the application, where the hold is on one. */
  applicationNumber: string | null;
};

const stands = (now: Date): SQL | undefined =>
  and(isNull(legalHold.liftedAt), gt(legalHold.until, now));

/** Whether a hold stands on the application of the row: on it, or on its whole order. */
export const isHeldSql = (now: Date): SQL =>
  sql`exists (select 1 from ${legalHold} where ${stands(now)} and ${legalHold.orderNumber} = ${application.orderNumber}
    and (${legalHold.applicationId} is null or ${legalHold.applicationId} = ${application.id}))`;

/** Whether a hold stands on the application of the row by itself. */
export const isHeldItselfSql = (now: Date): SQL =>
  sql`exists (select 1 from ${legalHold} where ${stands(now)} and ${legalHold.applicationId} = ${application.id})`;

/** Whether the email of the row is about an application on which a hold stands. */
export const isEmailHeldSql = (now: Date): SQL =>
  sql`exists (select 1 from ${applicationEmail} join ${application} on ${application.id} = ${applicationEmail.applicationId}
    where ${applicationEmail.emailId} = ${email.id} and ${isHeldSql(now)})`;

/** Of these orders, those on which a hold stands as a whole. */
export async function heldOrders(
  db: Queryable,
  numbers: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ number: legalHold.orderNumber })
    .from(legalHold)
    .where(
      and(
        stands(now),
        isNull(legalHold.applicationId),
        inArray(legalHold.orderNumber, [...numbers]),
      ),
    );
  return rows.map(({ number }) => number);
}

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
  await tx.insert(legalHold).values({ ...row, why: sealer.seal(why, whyOf(row.id)) });
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
    .where(and(eq(legalHold.id, id), stands(at)))
    .returning({ id: legalHold.id });
  return lifted.length > 0;
}

/** Deletes holds on whole orders that have ended, once no application of the order is left: their reason is personal. */
export async function deleteEndedHolds(db: Queryable, now: Date): Promise<void> {
  await db
    .delete(legalHold)
    .where(
      and(
        isNull(legalHold.applicationId),
        or(isNotNull(legalHold.liftedAt), lte(legalHold.until, now)),
        sql`not exists (select from ${application} where ${application.orderNumber} = ${legalHold.orderNumber})`,
      ),
    );
}

/** Holds that stand, those that end first before others; with their reasons, which are personal. */
export async function standingHolds(
  db: Queryable,
  sealer: Sealer,
  now: Date,
): Promise<LegalHold[]> {
  const rows = await db
    .select({ hold: legalHold, applicationNumber: application.number })
    .from(legalHold)
    .leftJoin(application, eq(application.id, legalHold.applicationId))
    .where(stands(now))
    .orderBy(asc(legalHold.until), desc(legalHold.placedAt));
  return rows.map(({ hold: { why, ...row }, applicationNumber }) => ({
    ...row,
    why: sealer.unsealText(why, whyOf(row.id)),
    applicationNumber,
  }));
}
