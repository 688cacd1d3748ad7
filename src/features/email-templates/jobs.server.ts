import { keptSince } from '~/base/retention-periods.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { MOVED_JOB } from '~/features/application/change/move-email.server.ts';
import { queueEmail } from '~/features/application/email-store.server.ts';
import {
  NUMBERS_JOB,
  numbersAskedBy,
} from '~/features/application/lost-number/ask-numbers.server.ts';
import { applicationsOfEmail } from '~/features/application/lost-number/find-by-email-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { payerLink } from '~/features/order/payer/payer-link.server.ts';
import { INVITATION_JOB, invitationMailOf } from '~/features/staff/accounts/invitation.server.ts';
import type { ResumeMail } from '~/features/form/draft/resume.server.ts';
import { insuranceLinks } from '~/features/insurance/store/draft.server.ts';
import { RESET_JOB, resetMailOf } from '~/features/staff/reset/reset.server.ts';
import { resumeMailOf } from '~/features/visa/store/resume.server.ts';
import type { JobHandlers } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { invitationEmail } from './invitation-email.server.ts';
import type { EmailContent } from '~/features/email/layout/content.ts';
import { wordsFor, type Words } from './email-words.server.ts';
import { numbersEmail } from './numbers-email.server.ts';
import { occasions, type ApplicationEmail } from './occasions.server.ts';
import { resetEmail } from './reset-email.server.ts';
import { resumeEmail } from './resume-email.server.ts';
import { resend } from './resend.server.ts';
import { sendOnce, type WrittenEmail } from '~/features/email/send.server.ts';
import { deleteEmails, type NewEmail } from '~/features/email/store.server.ts';

const placed = z.object({ orderNumber: z.string() });
const moved = z.object({ orderNumber: z.string(), emailId: z.uuid() });
const paid = placed;
const credited = z.object({ refundId: z.uuid() });
const decided = z.object({ applicationId: z.uuid() });
const delivered = z.object({ documentId: z.uuid() });
const again = z.object({ emailId: z.uuid() });
const correction = z.object({ correctionId: z.uuid() });

/** The e-mails, by the event that sets each off. Every handler may run again: an occasion is written about once. */
export function emailJobs(platform: Platform): JobHandlers {
  return {
    'order.placed': (payload) => send(platform, 'unpaid', placed.parse(payload).orderNumber),
    [MOVED_JOB]: (payload) => sendToNewAddress(platform, moved.parse(payload)),
    'order.unpaid_reminder': (payload) =>
      send(platform, 'unpaid_reminder', placed.parse(payload).orderNumber),
    'order.paid': (payload) => send(platform, 'received', paid.parse(payload).orderNumber),
    'order.paid_closed': (payload) =>
      send(platform, 'paid_closed', paid.parse(payload).orderNumber),
    'order.returned': (payload) => send(platform, 'returned', credited.parse(payload).refundId),
    'order.credited': (payload) => send(platform, 'refunded', credited.parse(payload).refundId),
    'application.decided': (payload) => sendDecided(platform, decided.parse(payload).applicationId),
    'application.document': (payload) =>
      send(platform, 'document', delivered.parse(payload).documentId),
    'application.correction': (payload) =>
      send(platform, 'correction', correction.parse(payload).correctionId),
    'application.correction_reminder': (payload) =>
      send(platform, 'correction_reminder', correction.parse(payload).correctionId),
    'email.resend': (payload) => resend(platform, again.parse(payload).emailId),
    'visa.resume_link': (payload) => sendResume(platform, resumeMailOf(platform, payload)),
    'insurance.resume_link': (payload) =>
      sendResume(platform, insuranceLinks.mailOf(platform, payload)),
    [NUMBERS_JOB]: (payload) => sendNumbers(platform, payload),
    [INVITATION_JOB]: (payload) => sendInvitation(platform, payload),
    [RESET_JOB]: (payload) => sendReset(platform, payload),
    'email.delete_expired': async () => {
      await deleteEmails(platform.db, keptSince('communication', platform.now()));
    },
  };
}

type Occasion = Pick<NewEmail, 'kind' | 'about' | 'language' | 'isRepeat'> & {
  /** Taken where the occasion has no e-mail yet; a new one if it is left out. */
  id?: string;
  applicationIds: readonly string[];
};

/** Writes an occasion's e-mail down, unless an earlier run has, and sends it. */
async function queueAndSend(
  platform: Platform,
  { applicationIds, ...occasion }: Occasion,
  write: () => Promise<WrittenEmail>,
): Promise<void> {
  const written = { id: randomUUID(), ...occasion, createdAt: platform.now() };
  const id = await platform.db.transaction((tx) =>
    queueEmail(tx, platform.config, written, applicationIds),
  );
  await sendOnce(platform, { id, applicationIds }, write);
}

/** Sends what an occasion asks for; nothing where there is nothing to say about it. */
async function send(platform: Platform, kind: ApplicationEmail, about: string): Promise<void> {
  const found = await occasions[kind](platform, about);
  if (!found) return;
  const { language, applicationIds, write } = found;
  await queueAndSend(platform, { kind, about, language, applicationIds }, write);
}

/** What an unpaid order's payer got at the old address, as it is now; one that was not sent yet goes to the new one anyway. */
async function sendToNewAddress(
  platform: Platform,
  { orderNumber: about, emailId: id }: z.infer<typeof moved>,
): Promise<void> {
  const found = await occasions.unpaid(platform, about);
  if (!found) return;
  const { language, applicationIds, write } = found;
  const occasion = { id, kind: 'unpaid', about, language, applicationIds, isRepeat: true } as const;
  await queueAndSend(platform, occasion, write);
}

async function sendDecided(platform: Platform, applicationId: string): Promise<void> {
  const application = await applicationById(platform.db, applicationId);
  if (application?.status !== 'approved' && application?.status !== 'rejected') return;
  await send(platform, application.status, application.id);
}

/** An e-mail with a link, about no application. The link itself is a secret: its hash tells one occasion from the next. */
async function sendLink(
  platform: Platform,
  kind: 'resume' | 'invitation' | 'password_reset',
  { email: to, url, language }: { email: string; url: string; language: string },
  contentOf: (words: Words) => EmailContent,
): Promise<void> {
  const about = createHash('sha256').update(url).digest('hex');
  const occasion = { kind, about, language, applicationIds: [] };
  await queueAndSend(platform, occasion, async () => ({
    to,
    content: contentOf(wordsFor(await withOperator(platform), language)),
  }));
}

const sendResume = (platform: Platform, mail: ResumeMail): Promise<void> =>
  sendLink(platform, 'resume', mail, (words) => resumeEmail(words, mail));

/** Nobody hears of an address that has no applications. */
async function sendNumbers(platform: Platform, payload: unknown): Promise<void> {
  const { id, email, language } = numbersAskedBy(platform, payload);
  const owned = await applicationsOfEmail(platform.db, email);
  if (owned.length === 0) return;
  const occasion = { kind: 'numbers', about: id, language, applicationIds: [] } as const;
  await queueAndSend(platform, occasion, async () => {
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
  await sendLink(platform, 'invitation', mail, (words) => invitationEmail(words, mail));
}

/** Nothing for an address without an active account: the page that asked said the same to everybody. */
async function sendReset(platform: Platform, payload: unknown): Promise<void> {
  const mail = await resetMailOf(platform, payload);
  if (!mail) return;
  await sendLink(platform, 'password_reset', mail, (words) => resetEmail(words, mail));
}
