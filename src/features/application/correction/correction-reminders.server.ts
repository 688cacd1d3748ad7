import { queueEmail } from '~/features/email/ledger/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { REMINDER_DAYS } from './correction.ts';
import { closeCorrection, isOpenCorrection } from './correction-store.server.ts';
import { resumeClock } from '../pause-store.server.ts';
import { lockApplication, addEvent } from '../store.server.ts';
import { and, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { applicationCorrection } from '../tables.server.ts';

/**
 * Reminds travellers who have not answered, once, and closes requests whose time has passed: the application goes back
 * to the queue, marked, its promised moment counts on, and the traveller is told.
 */
export async function remindOfCorrections({
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
