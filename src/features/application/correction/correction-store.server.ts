import { and, desc, eq, inArray, isNull, lt, sql, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { type AnswerChange, REMINDER_DAYS } from './correction.ts';
import {
  applicationCorrection,
  application,
  applicationEarlierPassport,
} from '../tables.server.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { lockApplication, addEvent, type Application } from '../store.server.ts';
import { nextOpening } from '~/base/dates/working-hours.ts';
import { readOffice } from '~/features/settings/office.server.ts';

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

/** All corrections asked of several applications, newest first, by id; those of which nothing was asked are absent. */
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
  { id, at, changes }: { id: string; at: Date; changes: readonly AnswerChange[] },
): Promise<void> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ answeredAt: at, changes: sealer.seal(JSON.stringify(changes), `${CHANGES}:${id}`) })
    .where(and(eq(applicationCorrection.id, id), isOpenCorrection))
    .returning({ id: applicationCorrection.id });
  if (rows.length === 0) throw new Error('The correction is over');
}

/** What an answer changed; empty before there is one. */
export function openChanges(sealer: Sealer, { id, changes }: Correction): AnswerChange[] {
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

/** Pauses a paid, undecided application until its traveller answers; returns false where it cannot be paused. */
export async function pauseClock(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(application)
    .set({ actionRequired: true, pausedAt: at })
    .where(
      and(
        eq(application.id, id),
        isNotNull(application.paidAt),
        isNull(application.decidedAt),
        isNull(application.pausedAt),
      ),
    )
    .returning({ id: application.id });
  return rows.length > 0;
}

/**
 * Ends the pause: the promised moment moves by the time it lasted, on to the next opening where that would lie outside
 * working hours, closures known `at` this moment included. Does nothing to an application that is not paused.
 */
export async function resumeClock(
  tx: Transaction,
  { id, pausedAt, promisedAt }: Application,
  at: Date,
): Promise<void> {
  if (!pausedAt) return;
  const stood = Math.max(at.getTime() - pausedAt.getTime(), 0);
  const moved =
    promisedAt && nextOpening(new Date(promisedAt.getTime() + stood), await readOffice(tx, at));
  await tx
    .update(application)
    .set({ actionRequired: false, pausedAt: null, promisedAt: moved })
    .where(eq(application.id, id));
}

/** The columns that a correction may change. */
type CorrectedColumns = Partial<
  Pick<Application, 'firstName' | 'lastName' | 'dateOfBirth' | 'phone' | 'startsOn'>
>;

export async function correctApplication(tx: Transaction, id: string, changes: CorrectedColumns) {
  if (Object.keys(changes).length === 0) return;
  await tx.update(application).set(changes).where(eq(application.id, id));
}

/**
 * Stores the passport that an application named so far, before it is replaced; the hashes are keyed as those of the
 * application's kind.
 */
export async function storeReplacedPassport(
  tx: Transaction,
  { applicationId, before, after }: { applicationId: string; before?: Buffer; after: Buffer },
): Promise<void> {
  if (!before || before.equals(after)) return;
  await tx
    .insert(applicationEarlierPassport)
    .values({ applicationId, passportHash: before })
    .onConflictDoNothing();
}

/**
 * Reminds travellers who have not answered, once, and closes requests whose time has passed: the application goes back
 * to the queue, marked, its promised moment counts on, and the traveller is told.
 */
export async function sendCorrectionReminders({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  for (const applicationId of await unansweredBy(db, at)) {
    await db.transaction(async (tx) => {
      // Locked first, as an answer does.
      const found = await lockApplication(tx, applicationId);
      const closed = found && (await closeCorrection(tx, applicationId, at, { isExpired: true }));
      if (!closed) return;
      await resumeClock(tx, found, at);
      await addEvent(tx, { applicationId, kind: 'correction_expired', at });
      await queueEmail(tx, { kind: 'correction_ended', about: closed, createdAt: at });
    });
  }
  await db.transaction(async (tx) => {
    for (const correctionId of await claimDueReminders(tx, REMINDER_DAYS, at)) {
      await queueEmail(tx, { kind: 'correction_reminder', about: correctionId, createdAt: at });
    }
  });
}

/**
 * Marks as reminded the corrections whose end is `days` away, but not before half of their time has passed, and returns
 * those that were not yet.
 */
async function claimDueReminders(tx: Transaction, days: number, at: Date): Promise<string[]> {
  const rows = await tx
    .update(applicationCorrection)
    .set({ remindedAt: at })
    .where(
      and(
        isOpenCorrection,
        isNull(applicationCorrection.remindedAt),
        sql`greatest(${applicationCorrection.answerBy} - make_interval(days => ${days}),
          ${applicationCorrection.askedAt} + (${applicationCorrection.answerBy} - ${applicationCorrection.askedAt}) / 2) < ${at.toISOString()}::timestamptz`,
      ),
    )
    .returning({ id: applicationCorrection.id });
  return rows.map(({ id }) => id);
}

/** Applications with a correction that was to be answered before a moment and was not. */
async function unansweredBy(db: Queryable, at: Date): Promise<string[]> {
  const rows = await db
    .select({ applicationId: applicationCorrection.applicationId })
    .from(applicationCorrection)
    .where(and(isOpenCorrection, lt(applicationCorrection.answerBy, at)));
  return rows.map(({ applicationId }) => applicationId);
}
