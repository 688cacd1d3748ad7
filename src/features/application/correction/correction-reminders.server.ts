import { queueEmail } from '~/features/email/queue.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { CORRECTION_DAYS, DAY_MS, REMINDER_DAYS } from './correction.ts';
import { closeCorrection, claimDueReminders, unansweredSince } from './correction-store.server.ts';
import { resumeClock } from '../pause-store.server.ts';
import { lockApplication, addEvent } from '../store.server.ts';

const before = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

/**
 * Reminds travellers who have not answered, once, and closes requests whose time has passed: the application goes back
 * to the queue, marked, its promised moment counts on, and the traveller is told.
 */
export async function remindOfCorrections({
  db,
  now,
}: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const at = now();
  for (const applicationId of await unansweredSince(db, before(at, CORRECTION_DAYS))) {
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
    const asked = before(at, CORRECTION_DAYS - REMINDER_DAYS);
    for (const correctionId of await claimDueReminders(tx, asked, at)) {
      await queueEmail(tx, { kind: 'correction_reminder', about: correctionId, createdAt: at });
    }
  });
}
