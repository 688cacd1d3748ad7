import { withOperator } from '~/features/settings/operator.server.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { linkEmail } from '~/features/application/email-store.server.ts';
import {
  NUMBERS_JOB,
  numbersAskedBy,
} from '~/features/application/lost-number/ask-numbers.server.ts';
import { applicationsOfEmail } from '~/features/application/lost-number/find-by-email-store.server.ts';
import { payerLink } from '~/features/order/payer/payer-link.server.ts';
import { INVITATION_JOB, invitationMailOf } from '~/features/staff/accounts/invitation.server.ts';
import type { ResumeMail } from '~/features/form/draft/resume.server.ts';
import { insuranceLinks } from '~/features/insurance/store/draft.server.ts';
import { RESET_JOB, resetMailOf } from '~/features/staff/reset/reset.server.ts';
import { resumeMailOf } from '~/features/visa/store/draft.server.ts';
import { enqueue, type JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  CHANGE_NOTICE_JOB,
  changeNotice,
  type ChangeNotice,
} from '~/features/settings/change-notice.ts';
import { accountById, staffNames } from '~/features/staff/store.server.ts';
import {
  FEAST_NOTICE_JOB,
  feastNotice,
  feastOccasion,
  type FeastNotice,
} from '~/features/settings/feast-notice.ts';
import { may } from '~/features/staff/roles.ts';
import { defaultLanguage } from '~/base/languages.ts';
import { feastNoticeEmail } from './kinds/feast-ahead.server.ts';
import { changeNoticeEmail } from './kinds/price-change.server.ts';
import { secretLinkEmail, type LinkKind } from './kinds/secret-link.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { numbersEmail } from './kinds/numbers.server.ts';
import { findOccasion, isApplicationEmail } from './kinds/occasions.server.ts';
import { resend } from './resend.server.ts';
import type { WrittenEmail } from './layout/content.ts';
import { sendOnce } from './send.server.ts';
import {
  emailById,
  insertEmail,
  isAnyToBeSent,
  markFailed,
  type Email,
  type NewEmail,
} from './ledger/store.server.ts';
import { mayWriteUnpaid, SEND_JOB } from './ledger/queue.server.ts';

const queued = z.object({ emailId: z.uuid() });

/** Every handler may run again without a second email being sent. */
export function emailJobs(platform: Platform): JobHandlers {
  return {
    [SEND_JOB]: (payload) => send(platform, queued.parse(payload).emailId),
    'email.resend': (payload) => resend(platform, queued.parse(payload).emailId),
    'visa.resume_link': (payload) => sendResume(platform, resumeMailOf(platform, payload)),
    'insurance.resume_link': (payload) =>
      sendResume(platform, insuranceLinks.mailOf(platform, payload)),
    [NUMBERS_JOB]: (payload) => sendNumbers(platform, payload),
    [INVITATION_JOB]: (payload) => sendInvitation(platform, payload),
    [RESET_JOB]: (payload) => sendReset(platform, payload),
    [FEAST_NOTICE_JOB]: (payload) => sendFeastNotice(platform, feastNotice.parse(payload)),
    [CHANGE_NOTICE_JOB]: (payload) => sendChangeNotice(platform, changeNotice.parse(payload)),
  };
}

/** Sends an email about an application as things stand now; sends nothing where there is nothing left to say. */
async function send(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const email = await emailById(db, sealer, emailId);
  if (!email || email.sentAt || !isApplicationEmail(email.kind)) return;
  const delayMs = (email.dueAt?.getTime() ?? 0) - platform.now().getTime();
  // The database's clock is ahead of ours: it may still be taken back.
  if (delayMs > 0) return enqueue(db, SEND_JOB, { emailId }, { delayMs });
  const found = await findOccasion(platform, email.kind, email.about);
  if (!found) {
    if (!email.failure) await markFailed(db, email.id, { at: platform.now(), failure: 'over' });
    return;
  }
  const { language, applicationIds, write, unpaidTo, after = [] } = found;
  await linkEmail(db, email.id, applicationIds);
  if (await isAnyToBeSent(db, after, platform.now())) {
    return enqueue(db, SEND_JOB, { emailId }, { delayMs: waitingMs(email, platform.now()) });
  }
  // Another try of one that the mail server did not take is the same email.
  if (unpaidTo !== undefined && email.tries === 0 && !(await mayWriteUnpaid(platform, unpaidTo))) {
    return markFailed(db, email.id, { at: platform.now(), failure: 'limit' });
  }
  await sendOnce(platform, { id: email.id, language, applicationIds }, write);
}

/** Milliseconds until an email that waits for another looks again: as long as it has waited, within these. */
const MIN_WAITING_MS = 1000;
const MAX_WAITING_MS = 10 * 60_000;

const waitingMs = ({ createdAt }: Pick<Email, 'createdAt'>, now: Date): number =>
  Math.min(Math.max(now.getTime() - createdAt.getTime(), MIN_WAITING_MS), MAX_WAITING_MS);

/** For emails about no application: only their job knows the recipient, and their content is not kept. */
async function insertAndSend(
  platform: Platform,
  { language, ...occasion }: Pick<NewEmail, 'kind' | 'about'> & { language: string },
  write: () => Promise<WrittenEmail>,
): Promise<void> {
  const { id } = await insertEmail(platform.db, { ...occasion, createdAt: platform.now() });
  await sendOnce(platform, { id, language, applicationIds: [] }, write);
}

/** An email with a link, about no application. The link is a secret, so its hash identifies the email. */
async function sendLink(
  platform: Platform,
  kind: LinkKind,
  {
    email: to,
    url,
    language,
    answered,
  }: { email: string; url: string; language: string; answered?: readonly string[] },
  count: number,
): Promise<void> {
  const about = createHash('sha256').update(url).digest('hex');
  const occasion = { kind, about, language };
  await insertAndSend(platform, occasion, async () => ({
    to,
    content: secretLinkEmail(wordsFor(await withOperator(platform), language), kind, {
      url,
      count,
      answered,
    }),
  }));
}

const sendResume = (platform: Platform, mail: ResumeMail): Promise<void> =>
  sendLink(platform, 'resume', mail, mail.days);

/** Sends nothing to an address that has no applications. */
async function sendNumbers(platform: Platform, payload: unknown): Promise<void> {
  const { id, email, language } = numbersAskedBy(platform, payload);
  const owned = await applicationsOfEmail(platform.db, email);
  if (owned.length === 0) return;
  const occasion = { kind: 'numbers', about: id, language } as const;
  await insertAndSend(platform, occasion, async () => {
    const words = wordsFor(await withOperator(platform), language);
    const listed = owned.map((one) => ({
      ...one,
      link: one.isPayer
        ? payerLink(platform, one.order)
        : words.page(`/status?ref=${encodeURIComponent(one.application.number)}`),
    }));
    return { to: email, content: numbersEmail(words, listed) };
  });
}

async function sendInvitation(platform: Platform, payload: unknown): Promise<void> {
  const mail = invitationMailOf(platform, payload);
  await sendLink(platform, 'invitation', mail, mail.days);
}

/** Sends nothing to somebody who is no longer an administrator. */
async function sendChangeNotice(platform: Platform, notice: ChangeNotice): Promise<void> {
  const { db } = platform;
  const account = await accountById(db, notice.accountId);
  if (!account?.active || account.role !== 'administrator') return;
  const { section, what, change, by, language } = notice;
  const about = [what, section, change, account.id].join(':');
  await insertAndSend(platform, { kind: 'price_change', about, language }, async () => {
    const words = wordsFor(await withOperator(platform), language);
    const names = await staffNames(db, [by]);
    return { to: account.email, content: changeNoticeEmail(words, notice, names.get(by) ?? '?') };
  });
}

/** Sends nothing to somebody who may no longer close days. */
async function sendFeastNotice(platform: Platform, notice: FeastNotice): Promise<void> {
  const account = await accountById(platform.db, notice.accountId);
  if (!account?.active || !may(account.role, 'close_days')) return;
  // No language is stored of staff.
  const language = defaultLanguage;
  await insertAndSend(platform, { ...feastOccasion(notice), language }, async () => {
    const words = wordsFor(await withOperator(platform), language);
    return { to: account.email, content: feastNoticeEmail(words, notice) };
  });
}

/** Sends nothing to an address without an active account; the page that asked says the same for every address. */
async function sendReset(platform: Platform, payload: unknown): Promise<void> {
  const mail = await resetMailOf(platform, payload);
  if (!mail) return;
  await sendLink(platform, 'password_reset', mail, mail.minutes);
}
