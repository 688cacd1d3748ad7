import { ok, refused, type Outcome } from '~/base/outcome.ts';
import {
  emailWithApplications,
  linkEmail,
  type EmailWithApplications,
} from '~/features/application/change-email.server.ts';
import {
  insertEmail,
  isBeingResent,
  lockEmail,
  retryEmail,
} from '~/features/email/ledger/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';

/** For each application. */
export const RESENT_PER_HOUR = 5;
const HOUR = 3600;

const limitOf = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'email_again', points: RESENT_PER_HOUR, seconds: HOUR }),
);

/** `waiting_email`: it, or a repetition of it, is about to be sent. */
export type ResendError = 'unknown_email' | 'waiting_email' | 'many_emails';

/**
 * Sends an email about an application again: a sent one as a new email with the same content, a failed one as another
 * try. At most five an hour for an application; recorded in the audit trail.
 */
export async function resendEmail(
  platform: Platform,
  staff: Staff,
  { id, applicationId }: { id: string; applicationId: string },
): Promise<Outcome<null, ResendError>> {
  const { db, sealer } = platform;
  const request = { id, applicationId };
  // Refused requests do not count towards the limit, which uses a connection of its own.
  const before = await toSendAgain(db, sealer, request);
  if (!before.ok) return before;
  if (!(await limitOf(platform).consume(applicationId)).allowed) return refused('many_emails');
  return db.transaction((tx) => resendIn(tx, platform, staff, request));
}

/** The same in the caller's transaction; does not count towards the limit. */
export async function resendIn(
  tx: Transaction,
  { sealer, now }: Pick<Platform, 'sealer' | 'now'>,
  staff: Staff,
  request: { id: string; applicationId: string },
): Promise<Outcome<null, ResendError>> {
  const at = now();
  const { id, applicationId } = request;
  await lockEmail(tx, id);
  const found = await toSendAgain(tx, sealer, request);
  if (!found.ok) return found;
  const { email, applicationIds } = found.value;
  let emailId = id;
  if (email.sentAt) {
    const { kind, about } = email;
    const repeat = { isRepeat: true, resentFrom: id, staffId: staff.id };
    ({ id: emailId } = await insertEmail(tx, { kind, about, createdAt: at, ...repeat }));
    await linkEmail(tx, emailId, applicationIds);
  } else {
    await retryEmail(tx, id);
  }
  await audit(tx, {
    at,
    staffId: staff.id,
    action: 'email_resent',
    subject: { kind: 'application', id: applicationId },
    detail: { emailId, kind: email.kind },
  });
  await enqueue(tx, 'email.resend', { emailId });
  return ok(null);
}

async function toSendAgain(
  db: Queryable,
  sealer: Sealer,
  { id, applicationId }: { id: string; applicationId: string },
): Promise<Outcome<EmailWithApplications, 'unknown_email' | 'waiting_email'>> {
  const found = await emailWithApplications(db, sealer, id);
  if (!found?.applicationIds.includes(applicationId)) return refused('unknown_email');
  const { email } = found;
  const isWaiting = email.sentAt ? await isBeingResent(db, id) : email.failure === null;
  return isWaiting ? refused('waiting_email') : ok(found);
}
