import { queueEmail } from '~/features/email/ledger/queue.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { REMINDER_DAYS } from './correction.ts';
import { closeCorrection, claimDueReminders, unansweredBy } from './correction-store.server.ts';
import { resumeClock } from '../pause-store.server.ts';
import { lockApplication, addEvent } from '../store.server.ts';

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
