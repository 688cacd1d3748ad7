import { withOperator } from '~/features/settings/operator.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  type WrittenEmail,
  emailText,
  withoutLinks,
  readStored,
  renewLinks,
} from './layout/content.server.ts';
import {
  type EmailOccasion,
  claimEmail,
  emailById,
  markFailed,
  markSent,
  storeContent,
  insertEmail,
  isAnyToBeSent,
  type Email,
  consumeUnpaidLimit,
  SEND_JOB,
} from './ledger/store.server.ts';
import type {
  ApplicationEmailKind,
  EmailKind,
  JobEmailKind,
  EmailFailure,
} from './ledger/tables.server.ts';
import { approved, document } from './kinds/approved.server.ts';
import { cancelled, cancelledTraveller } from './kinds/cancelled.server.ts';
import { copy } from './kinds/copy.server.ts';
import { correction, correctionEnded, correctionReminder } from './kinds/correction.server.ts';
import { dateLocked } from './kinds/date-locked.server.ts';
import { feastAhead } from './kinds/feast-ahead.server.ts';
import {
  type ApplicationKind,
  type FoundEmail,
  type JobKind,
  invitation,
  passwordReset,
  resume,
  emailWords,
  replyAddress,
  type FoundByJob,
} from './kinds/kind.server.ts';
import { held, paidClosed, returned } from './kinds/late-capture.server.ts';
import { late } from './kinds/late.server.ts';
import { message } from './kinds/message.server.ts';
import { numbers } from './kinds/numbers.server.ts';
import { operatorAlert } from './kinds/operator-alert.server.ts';
import { priceChange } from './kinds/price-change.server.ts';
import { processing } from './kinds/processing.server.ts';
import { received } from './kinds/received.server.ts';
import { refunded } from './kinds/refunded.server.ts';
import { rejected, rejectedPayer } from './kinds/rejected.server.ts';
import { unpaid, unpaidReminder } from './kinds/unpaid.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { weeklyFigures } from './kinds/weekly-figures.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { z } from 'zod';
import { emailWithApplications, linkEmail } from '~/features/application/change-email.server.ts';
import type { JobHandler } from '~/platform/jobs/job-runner.server.ts';
import { enqueue, type JobHandlers, type Recurring } from '~/platform/jobs/jobs.server.ts';

/** Every kind of email: a missing one does not compile, and `every-kind.test.ts` writes each in each language. */
export const kinds: Readonly<
  Record<ApplicationEmailKind, ApplicationKind> & Record<JobEmailKind, JobKind>
> = {
  approved,
  cancelled,
  cancelled_traveller: cancelledTraveller,
  copy,
  correction,
  correction_ended: correctionEnded,
  correction_reminder: correctionReminder,
  date_locked: dateLocked,
  document,
  feast_ahead: feastAhead,
  held,
  invitation,
  late,
  message,
  numbers,
  operator_alert: operatorAlert,
  paid_closed: paidClosed,
  password_reset: passwordReset,
  price_change: priceChange,
  processing,
  received,
  refunded,
  rejected,
  rejected_payer: rejectedPayer,
  resume,
  returned,
  unpaid,
  unpaid_reminder: unpaidReminder,
  weekly_figures: weeklyFigures,
};

export const isEmailKind = (name: string): name is EmailKind => Object.hasOwn(kinds, name);

/** An email about applications that may be sent. */
type EmailToSend = Omit<FoundEmail, 'write'> & {
  write: () => Promise<WrittenEmail>;
};

/**
 * What is to be said now; null where nothing is.
 * @throws Error for a kind that is not sent from the ledger, or that is unknown to this version.
 */
async function findEmail(
  platform: Platform,
  { kind, about }: EmailOccasion,
): Promise<EmailToSend | null> {
  const source = isEmailKind(kind) ? kinds[kind] : null;
  if (!source || !('find' in source)) {
    throw new Error(`No email of kind ${kind} is sent from the ledger`);
  }
  const found = await source.find(platform, about);
  if (!found) return null;
  return {
    ...found,
    write: async () => {
      const words = emailWords(await withOperator(platform), found.language);
      return { to: found.to, content: await found.write(words) };
    },
  };
}

/**
 * Longer than any exchange with a mail server (`mail.server.ts` times out sooner): a process that claimed an email that
 * long ago has died.
 */
const CLAIM_MS = 10 * 60_000;

/**
 * Sends a stored email once. `applicationIds`: those whose history records it; its content is kept if there are any.
 * The order is claim, send, mark: a process that dies between send and mark causes a second sending with the same
 * Message-ID, so that receivers can drop it. Nothing is lost.
 * @throws Error when the mail server does not take it, and while another process is sending it: the queue retries.
 */
async function sendStoredEmail(
  platform: Platform,
  {
    id,
    language,
    applicationIds,
  }: { id: string; language: string; applicationIds: readonly string[] },
  write: () => Promise<WrittenEmail>,
): Promise<void> {
  const { db, config, mail, sealer } = platform;
  const now = platform.now();
  const takenAfter = new Date(now.getTime() - CLAIM_MS);
  const claimed = await claimEmail(
    db,
    { id, language },
    { now, takenAfter, publicUrl: config.publicUrl },
  );
  if (!claimed) {
    const found = await emailById(db, sealer, id);
    if (!found || found.sentAt) return;
    throw new Error('Another process is sending this e-mail');
  }
  try {
    const { to, content } = await write();
    const stored = { to, subject: content.subject, body: withoutLinks(content) };
    if (applicationIds.length > 0) await storeContent(db, sealer, id, stored);
    const reply = replyAddress(await withOperator(platform), applicationIds[0]);
    await mail.send({
      to,
      subject: content.subject,
      html: emailHtml(content, config.publicUrl),
      text: emailText(content),
      messageId: claimed.messageId,
      language: content.language,
      headers: reply ? { 'Reply-To': reply } : {},
    });
  } catch (error) {
    await markFailed(db, id, { at: platform.now(), failure: emailFailure(error) });
    throw error;
  }
  await db.transaction(async (tx) => {
    const at = platform.now();
    await markSent(tx, id, at);
    for (const applicationId of applicationIds) {
      await audit(tx, {
        at,
        staffId: null,
        action: 'email_sent',
        subject: { kind: 'application', id: applicationId },
        detail: { kind: claimed.kind },
      });
    }
  });
}

const unreachable = ['ECONNECTION', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EDNS', 'ESOCKET'];

/**
 * Classifies what a mail client threw: `responseCode` of the server (RFC 5321, 4.2.1: 4xx for now, 5xx for good),
 * `code` of the client, `EENVELOPE` where the server refused sender or recipient.
 */
export function emailFailure(error: unknown): EmailFailure {
  if (typeof error !== 'object' || error === null) return 'other';
  const response = 'responseCode' in error ? Number(error.responseCode) : 0;
  const code = 'code' in error ? String(error.code) : '';
  if (response >= 500) return code === 'EENVELOPE' ? 'address' : 'refused';
  if (response >= 400) return 'later';
  return unreachable.includes(code) ? 'unreachable' : 'other';
}

const queued = z.object({ emailId: z.uuid() });

const allKinds = Object.keys(kinds).filter(isEmailKind);

/** Every handler may run again without a second email being sent. */
export function emailJobs(platform: Platform): JobHandlers {
  const handlers: Record<string, JobHandler> = {
    [SEND_JOB]: (payload) => send(platform, queued.parse(payload).emailId),
    'email.resend': (payload) => resend(platform, queued.parse(payload).emailId),
  };
  for (const kind of allKinds) {
    const source = kinds[kind];
    const { recurring } = source;
    if (recurring) handlers[recurring.name] = () => recurring.run(platform);
    for (const [name, find] of Object.entries('jobs' in source ? source.jobs : {})) {
      handlers[name] = async (payload) => {
        const found = await find(platform, payload);
        if (found) await sendFound(platform, kind, found);
      };
    }
  }
  return handlers;
}

/** When emails are queued by the clock. */
export const emailSchedule: readonly Recurring[] = allKinds.flatMap((kind) => {
  const { recurring } = kinds[kind];
  return recurring ? [{ cron: recurring.cron, name: recurring.name }] : [];
});

/** An email about no application: only its job knows the recipient, and its content is not kept. */
async function sendFound(
  platform: Platform,
  kind: EmailKind,
  { about, to, language, write }: FoundByJob,
): Promise<void> {
  const { id } = await insertEmail(platform.db, { kind, about, createdAt: platform.now() });
  await sendStoredEmail(platform, { id, language, applicationIds: [] }, async () => ({
    to,
    content: await write(emailWords(await withOperator(platform), language)),
  }));
}

/** Sends an email about an application as things stand now; sends nothing where there is nothing left to say. */
async function send(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const email = await emailById(db, sealer, emailId);
  if (!email || email.sentAt) return;
  const delayMs = (email.dueAt?.getTime() ?? 0) - platform.now().getTime();
  // The database's clock is ahead of ours: it may still be taken back.
  if (delayMs > 0) return enqueue(db, SEND_JOB, { emailId }, { delayMs });
  const found = await findEmail(platform, email);
  if (!found) {
    if (!email.failure) await markFailed(db, email.id, { at: platform.now(), failure: 'over' });
    return;
  }
  const { to, language, applicationIds, write, isUnpaid, after = [], waitsUntil } = found;
  await linkEmail(db, email.id, applicationIds);
  const earlyMs = (waitsUntil?.getTime() ?? 0) - platform.now().getTime();
  if (earlyMs > 0) return enqueue(db, SEND_JOB, { emailId }, { delayMs: earlyMs });
  if (await isAnyToBeSent(db, after, platform.now())) {
    return enqueue(db, SEND_JOB, { emailId }, { delayMs: waitingMs(email, platform.now()) });
  }
  // Another try of one that the mail server did not take is the same email.
  if (isUnpaid && email.tries === 0 && !(await consumeUnpaidLimit(platform, to))) {
    return markFailed(db, email.id, { at: platform.now(), failure: 'limit' });
  }
  await sendStoredEmail(platform, { id: email.id, language, applicationIds }, write);
}

/** Milliseconds until an email that waits for another looks again: as long as it has waited, within these. */
const MIN_WAITING_MS = 1000;
const MAX_WAITING_MS = 10 * 60_000;

const waitingMs = ({ createdAt }: Pick<Email, 'createdAt'>, now: Date): number =>
  Math.min(Math.max(now.getTime() - createdAt.getTime(), MIN_WAITING_MS), MAX_WAITING_MS);

/**
 * Sends an email about an application again, with its kept text and fresh links; where none was kept, and one that
 * failed, with what there is to say now. Nothing is sent about what has ended by now.
 */
async function resend(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const found = await emailWithApplications(db, sealer, emailId);
  // Deleted or sent before the job ran.
  if (!found || found.email.sentAt) return;
  const { email, applicationIds } = found;
  const { id, resentFrom } = email;
  const original = resentFrom ? await emailById(db, sealer, resentFrom) : email;
  const now = await findEmail(platform, email);
  if (!now) {
    await markFailed(db, id, { at: platform.now(), failure: 'over' });
    return;
  }
  // What never left says what there is to say now.
  const kept = original?.sentAt ? readStored(original.content?.body) : null;
  await sendStoredEmail(platform, { id, language: now.language, applicationIds }, async () => {
    const { to, content } = await now.write();
    return { to, content: kept ? renewLinks(kept, content) : content };
  });
}
