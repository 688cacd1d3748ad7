import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import {
  isBeingResent,
  letterById,
  lockLetter,
  noteLetter,
  retryLetter,
} from '~/features/application/letter-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { enqueue } from '~/platform/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter, type Limiter } from '~/platform/rate-limit.server.ts';

/** Nobody wants more of the same in an hour. */
export const RESENT_PER_HOUR = 5;
const HOUR = 3600;

/** A limiter has timers and a memory of its own: one per database pool. */
const known = new WeakMap<Pool, Limiter>();

function limitOf({ pool }: Pick<Platform, 'pool'>): Limiter {
  const limit =
    known.get(pool) ??
    makeLimiter(pool, { name: 'letter_again', points: RESENT_PER_HOUR, seconds: HOUR });
  known.set(pool, limit);
  return limit;
}

/** waiting_letter: it, or it again, is on its way. */
export type ResendError = 'unknown_letter' | 'waiting_letter' | 'many_letters';

/**
 * Sends an e-mail about an application again: one that left as a new one of the same content, one that failed as
 * another try of itself. At most five an hour and application, written into the audit trail.
 */
export async function resendLetter(
  platform: Platform,
  staff: Staff,
  { id, applicationId }: { id: string; applicationId: string },
): Promise<Outcome<null, ResendError>> {
  const { db, sealer, now } = platform;
  const at = now();
  return db.transaction(async (tx) => {
    await lockLetter(tx, id);
    const found = await letterById(tx, sealer, id);
    if (!found?.applicationIds.includes(applicationId)) return refused('unknown_letter');
    const { letter, applicationIds } = found;
    const isWaiting = letter.sentAt ? await isBeingResent(tx, id) : letter.failure === null;
    if (isWaiting) return refused('waiting_letter');
    if (!(await limitOf(platform).consume(applicationId)).allowed) return refused('many_letters');
    const letterId = letter.sentAt ? randomUUID() : id;
    if (letter.sentAt) {
      const { kind, about } = letter;
      const again = { id: letterId, kind, about, createdAt: at, resentFrom: id, staffId: staff.id };
      await noteLetter(tx, again, applicationIds);
    } else {
      await retryLetter(tx, id);
    }
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'letter_resent',
      subject: { kind: 'application', id: applicationId },
      detail: { letterId, kind: letter.kind },
    });
    await enqueue(tx, 'application.letter', { letterId });
    return ok(null);
  });
}
