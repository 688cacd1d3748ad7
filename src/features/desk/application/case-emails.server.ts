import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { isEmailAddress } from '~/base/email-address.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import {
  changeEmail,
  emailWithApplications,
  linkEmail,
  type EmailWithApplications,
} from '~/features/application/change-email.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readWhy, type WhyError } from './note.ts';
import { randomUUID } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { deskEmailCorrection } from './tables.server.ts';
import {
  insertEmail,
  isBeingResent,
  lockEmail,
  retryEmail,
} from '~/features/email/ledger/store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
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
  return db.transaction((tx) => resendInTransaction(tx, platform, staff, request));
}

/** The same in the caller's transaction; does not count towards the limit. */
async function resendInTransaction(
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

/** The email of an application that may be sent again. */
export async function toSendAgain(
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

export type CorrectEmailError = 'invalid_email' | 'mistyped_email' | 'same_email' | WhyError;

/**
 * Corrects a traveller's mistyped email address in the application, in others of its order that had the same one, and
 * for the order's payer if it was theirs. Links sent to the old address stop working; the chosen emails are sent again
 * to the new one. Sent twice, it is refused as the same address. `id`: the form's, under which it finds the correction
 * afterwards. All or nothing.
 */
export async function correctEmail(
  platform: Platform,
  staff: Staff,
  typed: {
    id?: string;
    applicationId: string;
    email: string;
    /** The address chosen, where the page asked whether the typed one was mistyped. */
    emailAnswer: string;
    why: string;
    /** The emails to send again. */
    emailIds: readonly string[];
  },
): Promise<Outcome<null, CorrectEmailError>> {
  const { db, now, sealer } = platform;
  const { email, ask } = resolveEmail(typed.email.trim(), typed.emailAnswer);
  if (!isEmailAddress(email)) return refused('invalid_email');
  if (ask !== null) return refused('mistyped_email');
  const why = readWhy(typed.why);
  if (!why.ok) return why;
  const at = now();
  const { id, applicationId } = typed;
  return db.transaction(async (tx) => {
    const changed = await changeEmail(tx, applicationId, email);
    if (!changed) return refused('same_email');
    for (const one of changed.applicationIds) {
      const own = one === applicationId;
      const content = { from: changed.from, to: email, why: why.value };
      const row = { applicationId: one, staffId: staff.id, at, content };
      await insertEmailCorrection(tx, sealer, own ? { ...row, id } : row);
      await audit(tx, {
        at,
        staffId: staff.id,
        action: 'email_corrected',
        subject: { kind: 'application', id: one },
        detail: { isPayer: changed.isPayer, emails: own ? typed.emailIds.length : 0 },
      });
    }
    // Emails that are still waiting go to the new address anyway.
    for (const emailId of new Set(typed.emailIds)) {
      await resendInTransaction(tx, platform, staff, { id: emailId, applicationId });
    }
    return ok(null);
  });
}

const content = z.object({ from: z.string(), to: z.string(), why: z.string() });

type EmailCorrection = {
  id: string;
  staffId: string;
  at: Date;
} & z.infer<typeof content>;

const contextOf = (id: string) => `desk_email_correction.content:${id}`;

/** Stores a correction under the given id, or under another one where that is taken. */
async function insertEmailCorrection(
  tx: Transaction,
  sealer: Sealer,
  made: {
    id?: string | undefined;
    applicationId: string;
    staffId: string;
    at: Date;
    content: z.infer<typeof content>;
  },
): Promise<void> {
  const id = made.id ?? randomUUID();
  const sealed = sealer.sealJson(made.content, contextOf(id));
  const rows = await tx
    .insert(deskEmailCorrection)
    .values({ ...made, id, content: sealed })
    .onConflictDoNothing({ target: deskEmailCorrection.id })
    .returning({ id: deskEmailCorrection.id });
  if (rows.length === 0) await insertEmailCorrection(tx, sealer, { ...made, id: randomUUID() });
}

/** Oldest first, decrypted. Personal: the caller records the view in the audit trail. */
export async function emailCorrectionsByApplication(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<EmailCorrection[]> {
  const rows = await db
    .select()
    .from(deskEmailCorrection)
    .where(eq(deskEmailCorrection.applicationId, applicationId))
    .orderBy(asc(deskEmailCorrection.at), asc(deskEmailCorrection.id));
  return rows.map(({ id, staffId, at, content: sealed }) => ({
    id,
    staffId,
    at,
    ...content.parse(sealer.unsealJson(sealed, contextOf(id))),
  }));
}

/** Deletes them with their application. */
export async function deleteEmailCorrections(
  tx: Transaction,
  applicationIds: string[],
): Promise<void> {
  await tx
    .delete(deskEmailCorrection)
    .where(inArray(deskEmailCorrection.applicationId, applicationIds));
}
