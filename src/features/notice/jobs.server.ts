import { createHash } from 'node:crypto';
import { z } from 'zod';
import { downloadAddress } from '~/features/application/download.server.ts';
import {
  applicationById,
  applicationsNumbered,
  applicationsOfOrder,
  currentDocument,
  replacedMoment,
  type Application,
} from '~/features/application/store.server.ts';
import { receiptAddress } from '~/features/order/receipt/receipt-link.server.ts';
import {
  creditNoteOfRefund,
  numberOf,
  receiptsOfOrder,
} from '~/features/order/receipt/store.server.ts';
import { linesOf, orderById, orderByNumber } from '~/features/order/store.server.ts';
import { attemptById } from '~/features/payment/store.server.ts';
import { INVITATION_JOB, invitationMailOf } from '~/features/staff/invitation.server.ts';
import { resumeMailOf } from '~/features/visa/resume.server.ts';
import { CORRECTION_DAYS, correctionAddress } from '~/features/visa/correction/correct.server.ts';
import { correctionById } from '~/features/visa/correction/correction-store.server.ts';
import { visaDetailsOf } from '~/features/visa/store.server.ts';
import type { JobHandlers } from '~/platform/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { translations } from '~/platform/translations.server.ts';
import { correctionLetter } from './correction-letter.server.ts';
import { approvedLetter, documentLetter, rejectedLetter } from './decided-letter.server.ts';
import { invitationLetter } from './invitation-letter.server.ts';
import { wordsFor } from './letter-words.server.ts';
import { receivedLetter } from './received-letter.server.ts';
import { refundedLetter } from './refunded-letter.server.ts';
import { resumeLetter } from './resume-letter.server.ts';
import { sendOnce } from './send.server.ts';
import { forgetNotices } from './store.server.ts';

const paid = z.object({ orderNumber: z.string() });
const credited = z.object({ refundId: z.uuid() });
const decided = z.object({ applicationId: z.uuid() });
const delivered = decided.extend({ documentId: z.uuid() });

const correction = z.object({ correctionId: z.uuid() });

const KEPT_YEARS = 2;

/** The e-mails, by the event that sets each off. Every handler may run again: an occasion is written about once. */
export function noticeJobs(platform: Platform): JobHandlers {
  return {
    'order.paid': (payload) => sendReceived(platform, paid.parse(payload).orderNumber),
    'order.credited': (payload) => sendRefunded(platform, credited.parse(payload).refundId),
    'application.decided': (payload) => sendDecided(platform, decided.parse(payload).applicationId),
    'application.document': (payload) => sendDocument(platform, delivered.parse(payload)),
    'application.correction': (payload) =>
      sendCorrection(platform, correction.parse(payload).correctionId),
    'visa.resume_link': (payload) => sendResume(platform, payload),
    [INVITATION_JOB]: (payload) => sendInvitation(platform, payload),
    'notice.forget': async () => {
      const before = platform.now();
      before.setUTCFullYear(before.getUTCFullYear() - KEPT_YEARS);
      await forgetNotices(platform.db, before);
    },
  };
}

async function sendReceived(platform: Platform, orderNumber: string): Promise<void> {
  const { db } = platform;
  const order = await orderByNumber(db, orderNumber);
  // The payment lab's orders hold nothing to write about.
  if (!order?.paidAt || order.lab) return;
  const { paidAt, paidBy } = order;
  const applications = await applicationsOfOrder(db, order.number);
  const occasion = {
    kind: 'received' as const,
    subject: order.number,
    language: order.language,
    applicationIds: applications.map(({ id }) => id),
  };
  await sendOnce(platform, occasion, async () => {
    const lines = await linesOf(db, order.id);
    const attempt = paidBy ? await attemptById(db, paidBy) : null;
    const words = wordsFor(platform, order.language);
    const issued = await receiptsOfOrder(db, order.id);
    const paper = issued.find(({ kind }) => kind === 'receipt');
    const receipt = paper ? receiptAddress(platform, paper) : null;
    const purchase = { order: { ...order, paidAt }, lines, applications, attempt, receipt };
    return { to: order.customerEmail, letter: receivedLetter(words, purchase) };
  });
}

async function sendRefunded(platform: Platform, refundId: string): Promise<void> {
  const { db } = platform;
  const note = await creditNoteOfRefund(db, refundId);
  const order = note && (await orderById(db, note.orderId));
  if (!note || !order) return;
  const numbers = note.facts.lines.map((line) => line.applicationNumber);
  const applications = await applicationsNumbered(db, [...new Set(numbers)]);
  const occasion = {
    kind: 'refunded' as const,
    subject: refundId,
    language: order.language,
    applicationIds: applications.map(({ id }) => id),
  };
  await sendOnce(platform, occasion, async () => {
    const download = receiptAddress(platform, note);
    const refunded = { facts: note.facts, creditNumber: numberOf(note), download };
    const letter = refundedLetter(wordsFor(platform, order.language), refunded);
    return { to: order.customerEmail, letter };
  });
}

async function sendDecided(platform: Platform, applicationId: string): Promise<void> {
  const application = await applicationById(platform.db, applicationId);
  if (application?.status !== 'approved' && application?.status !== 'rejected') return;
  const { status } = application;
  await sendOnce(platform, occasionOf(application, status, application.id), async () => {
    const facts = await gather(platform, application);
    const words = wordsFor(platform, application.language);
    const letter =
      status === 'approved' ? approvedLetter(words, facts) : rejectedLetter(words, facts);
    return { to: application.email, letter };
  });
}

async function sendDocument(
  platform: Platform,
  { applicationId, documentId }: z.infer<typeof delivered>,
): Promise<void> {
  const application = await applicationById(platform.db, applicationId);
  if (application?.status !== 'approved') return;
  await sendOnce(platform, occasionOf(application, 'document', documentId), async () => {
    const facts = await gather(platform, application);
    const download = facts.download ?? downloadAddress(platform, application);
    const words = wordsFor(platform, application.language);
    const replacedOf = await replacedMoment(platform.db, { applicationId, documentId });
    const letter = documentLetter(words, { ...facts, download, replacedOf });
    return { to: application.email, letter };
  });
}

async function sendCorrection(platform: Platform, correctionId: string): Promise<void> {
  const found = await correctionById(platform.db, correctionId);
  const application = found && (await applicationById(platform.db, found.applicationId));
  // Answered or taken back before the queue came to it: the link would lead nowhere.
  if (!found || !application || found.answeredAt || found.closedAt) return;
  const { language } = application;
  await sendOnce(platform, occasionOf(application, 'correction', found.id), async () => {
    const words = wordsFor(platform, language);
    const visa = translations(words.language).getFixedT(words.language, 'visa');
    const labels = found.fields.map((field) => visa(`labels.${field}`));
    const url = correctionAddress(platform, found, words.language);
    const facts = { application, labels, note: found.note, url, days: CORRECTION_DAYS };
    return { to: application.email, letter: correctionLetter(words, facts) };
  });
}

async function sendResume(platform: Platform, payload: unknown): Promise<void> {
  const { email, url, language, days } = resumeMailOf(platform, payload);
  // The link itself is a secret: its hash tells one occasion from the next.
  const subject = createHash('sha256').update(url).digest('hex');
  const occasion = { kind: 'resume' as const, subject, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => ({
    to: email,
    letter: resumeLetter(wordsFor(platform, language), { url, days }),
  }));
}

async function sendInvitation(platform: Platform, payload: unknown): Promise<void> {
  const { email, url, language, days } = invitationMailOf(platform, payload);
  const subject = createHash('sha256').update(url).digest('hex');
  const occasion = { kind: 'invitation' as const, subject, language, applicationIds: [] };
  await sendOnce(platform, occasion, async () => ({
    to: email,
    letter: invitationLetter(wordsFor(platform, language), { url, days }),
  }));
}

const occasionOf = (
  { id, language }: Application,
  kind: 'approved' | 'rejected' | 'document' | 'correction',
  subject: string,
) => ({ kind, subject, language, applicationIds: [id] });

async function gather(platform: Platform, application: Application) {
  const { db, sealer } = platform;
  const [visa, document] = await Promise.all([
    application.kind === 'visa' ? visaDetailsOf(db, sealer, application.id) : null,
    currentDocument(db, application.id),
  ]);
  const download = document ? downloadAddress(platform, application) : null;
  return { application, visa, download };
}
