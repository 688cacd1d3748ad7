import { keptSince } from '~/base/retention-periods.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MOVED_JOB } from '~/features/application/change/move-email.server.ts';
import { deleteLetters } from '~/features/application/email-store.server.ts';
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
import { invitationLetter } from './templates/invitation-letter.server.ts';
import { wordsFor } from './templates/letter-words.server.ts';
import { numbersLetter } from './templates/numbers-letter.server.ts';
import { occasions, type ApplicationNotice } from './templates/occasions.server.ts';
import { resetLetter } from './templates/reset-letter.server.ts';
import { resumeLetter } from './templates/resume-letter.server.ts';
import { sendAgain } from './send-again.server.ts';
import { sendOnce } from './send.server.ts';
import { deleteNotices } from './store.server.ts';

const placed = z.object({ orderNumber: z.string() });
const moved = z.object({ orderNumber: z.string(), letterId: z.uuid() });
const paid = placed;
const credited = z.object({ refundId: z.uuid() });
const decided = z.object({ applicationId: z.uuid() });
const delivered = z.object({ documentId: z.uuid() });
const again = z.object({ letterId: z.uuid() });
const correction = z.object({ correctionId: z.uuid() });

/** The e-mails, by the event that sets each off. Every handler may run again: an occasion is written about once. */
export function noticeJobs(platform: Platform): JobHandlers {
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
    'application.letter': (payload) => sendAgain(platform, again.parse(payload).letterId),
    'visa.resume_link': (payload) => sendResume(platform, resumeMailOf(platform, payload)),
    'insurance.resume_link': (payload) =>
      sendResume(platform, insuranceLinks.mailOf(platform, payload)),
    [NUMBERS_JOB]: (payload) => sendNumbers(platform, payload),
    [INVITATION_JOB]: (payload) => sendInvitation(platform, payload),
    [RESET_JOB]: (payload) => sendReset(platform, payload),
    'email.delete_expired': async () => {
      const before = keptSince('communication', platform.now());
      await deleteNotices(platform.db, before);
      await deleteLetters(platform.db, before);
    },
  };
}

/** Sends what an occasion asks for; nothing where there is nothing to say about it. */
async function send(platform: Platform, kind: ApplicationNotice, subject: string): Promise<void> {
  const found = await occasions[kind](platform, subject);
  if (!found) return;
  const { language, applicationIds, write } = found;
  await sendOnce(platform, { kind, subject, language, applicationIds }, write);
}

/** What an unpaid order's payer got at the old address, as it is now; one that was not sent yet goes to the new one anyway. */
async function sendToNewAddress(
  platform: Platform,
  { orderNumber, letterId }: z.infer<typeof moved>,
): Promise<void> {
  const found = await occasions.unpaid(platform, orderNumber);
  if (!found) return;
  const { language, applicationIds, write } = found;
  const occasion = { kind: 'unpaid' as const, subject: orderNumber, language, applicationIds };
  await sendOnce(platform, { ...occasion, again: letterId }, write);
}

async function sendDecided(platform: Platform, applicationId: string): Promise<void> {
  const application = await applicationById(platform.db, applicationId);
  if (application?.status !== 'approved' && application?.status !== 'rejected') return;
  await send(platform, application.status, application.id);
}

async function sendResume(platform: Platform, mail: ResumeMail): Promise<void> {
  const { email, url, language, days } = mail;
  // The link itself is a secret: its hash tells one occasion from the next.
  const subject = createHash('sha256').update(url).digest('hex');
  const occasion = { kind: 'resume' as const, subject, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => ({
    to: email,
    letter: resumeLetter(wordsFor(await withOperator(platform), language), { url, days }),
  }));
}

/** Nobody hears of an address that has no applications. */
async function sendNumbers(platform: Platform, payload: unknown): Promise<void> {
  const { id, email, language } = numbersAskedBy(platform, payload);
  const owned = await applicationsOfEmail(platform.db, email);
  if (owned.length === 0) return;
  const occasion = { kind: 'numbers' as const, subject: id, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => {
    const words = wordsFor(await withOperator(platform), language);
    const listed = owned.map((one) => ({
      ...one,
      link: one.isPayer
        ? payerLink(platform, one.order)
        : words.page(`/status?ref=${encodeURIComponent(one.application.number)}`),
    }));
    return { to: email, letter: numbersLetter(words, listed) };
  });
}

async function sendInvitation(platform: Platform, payload: unknown): Promise<void> {
  const { email, url, language, days } = invitationMailOf(platform, payload);
  const subject = createHash('sha256').update(url).digest('hex');
  const occasion = { kind: 'invitation' as const, subject, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => ({
    to: email,
    letter: invitationLetter(wordsFor(await withOperator(platform), language), { url, days }),
  }));
}

/** Nothing for an address without an active account: the page that asked said the same to everybody. */
async function sendReset(platform: Platform, payload: unknown): Promise<void> {
  const mail = await resetMailOf(platform, payload);
  if (!mail) return;
  const { email, url, language, minutes } = mail;
  const subject = createHash('sha256').update(url).digest('hex');
  const occasion = { kind: 'password_reset' as const, subject, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => ({
    to: email,
    letter: resetLetter(wordsFor(await withOperator(platform), language), { url, minutes }),
  }));
}
