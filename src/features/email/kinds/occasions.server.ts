import { cancellationById } from '~/features/order/refunds/cancellation-store.server.ts';
import {
  linesOfRefunds,
  orderRefundById,
  returnedOf,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { creditReason } from '~/features/order/receipt/issue-credit-note.server.ts';
import { fullName } from '~/features/application/full-name.ts';
import { cancelledEmail, cancelledTravellerEmail } from './cancelled.server.ts';
import { correctionAddress } from '~/features/application/correction/correction-link.server.ts';
import {
  correctionById,
  type Correction,
} from '~/features/application/correction/correction-store.server.ts';
import { usd, type Money } from '~/base/money.ts';
import { downloadAddress } from '~/features/application/status/download.server.ts';
import {
  applicationById,
  applicationOfDocument,
  applicationsNumbered,
  applicationsOfOrder,
  currentDocument,
  replacedMoment,
  type Application,
} from '~/features/application/store.server.ts';
import { isMissed, promisedNow } from '~/features/application/calendar/promised.ts';
import { skippedByLatest, skippedDays } from '~/features/application/closed-days/skipped-days.ts';
import {
  isChildThen,
  reachesPayer,
  recipientOf,
  type Recipient,
} from '~/features/application/recipient.ts';
import { areSeveral } from '~/features/application/travellers.ts';
import { rejectionRefundOf } from '~/features/cancellation/rejection-refund.server.ts';
import { remindedTogether } from '~/features/order/payer/remind-unpaid-store.server.ts';
import { payRefusal } from '~/features/order/may-pay.ts';
import { payerLink } from '~/features/order/payer/payer-link.server.ts';
import { receiptAddress } from '~/features/order/receipt/receipt-link.server.ts';
import {
  creditNoteOfRefund,
  numberOf,
  receiptsOfOrder,
} from '~/features/order/receipt/store.server.ts';
import { linesOf, type OrderLine } from '~/features/order/order-lines-store.server.ts';
import { orderById, orderByNumber, type Order } from '~/features/order/store.server.ts';
import { refundById } from '~/features/payment/settlement/refund-store.server.ts';
import { attemptById, attemptsFor } from '~/features/payment/settlement/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { closuresAt } from '~/features/settings/closures.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { visaDetailsOf } from '~/features/visa/store/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { correctionEmail, correctionEndedEmail, type CorrectionEnd } from './correction.server.ts';
import { copyAddress } from '~/features/application/self-service/copy-path.server.ts';
import { copyEmail, dateLockedEmail } from './asked.server.ts';
import { approvedEmail, documentEmail } from './approved.server.ts';
import { isOptional } from '../ledger/kinds.ts';
import type { WrittenEmail } from '../layout/content.ts';
import type { Occasion } from '../ledger/store.server.ts';
import { wordsFor } from './words.server.ts';
import { lateEmail, processingEmail } from './progress.server.ts';
import { emailUpdatesAddress } from '~/features/application/self-service/email-updates.server.ts';
import { receivedEmail } from './received.server.ts';
import { refundedEmail } from './refunded.server.ts';
import { rejectedPayerEmail, rejectionEmail } from './rejected.server.ts';
import { unpaidRejection, type UnpaidRejection } from './unpaid-rejection.server.ts';
import { unpaidEmail } from './unpaid.server.ts';
import { lateCaptureEmail, type AboutMoney } from './late-capture.server.ts';

/** What an email is about, to whom it goes, and how it is written from the data stored by then. */
type Found = {
  language: string;
  applicationIds: string[];
  /** Whose traveller decides whether it goes, for a kind that may be turned off. */
  updatesOf?: Application | undefined;
  /** The recipient, where nobody has paid for what it is about: see `mayWriteUnpaid`. */
  unpaidTo?: string | undefined;
  /** Emails that it refers to or that its recipient expects first: while one of them is to be sent, it waits. */
  after?: readonly Occasion[];
  write: () => Promise<WrittenEmail>;
};

type FindOccasion = (platform: Platform, subject: string) => Promise<Found | null>;

/**
 * Emails about applications, by kind: each finds what is to be said of a subject, or null where nothing is any more.
 */
const occasions = {
  /** Subject: the order's number. */
  unpaid: (platform, number) => unpaid(platform, number, false),
  unpaid_reminder: (platform, number) => unpaid(platform, number, true),
  /** Subject: the order's number. */
  received,
  /** Subject: the refund's id. */
  refunded,
  /** Sent to the authorities. Subject: the application's id. */
  processing,
  /** Subject: the id of the cancellation. */
  cancelled,
  /** Subject: the number of an order that was closed before its money came. */
  paid_closed: paidClosed,
  /** Subject: the id of the refund of a second payment, or of one at an amount that was no longer due. */
  returned,
  /** Subject: the application's id. */
  approved,
  rejected,
  /** For the payer of an unpaid order who is not the traveller. Subject: the application's id. */
  rejected_payer: rejectedPayer,
  /** Subject: the document's id. */
  document: delivered,
  /** Subject: the correction's id. */
  correction: (platform, id) => corrected(platform, id, false),
  correction_reminder: (platform, id) => corrected(platform, id, true),
  /** Answered, withdrawn or expired. Subject: the correction's id. */
  correction_ended: correctionEnded,
  /** The promised moment has passed. Subject: the application's id. */
  late,
  /** For a traveller whose application somebody else paid for and cancelled. Subject: the application's id. */
  cancelled_traveller: cancelledTraveller,
  /** The link to a copy of all answers, asked for on the status page. Subject: the application's id. */
  copy: copyAsked,
  /** Too many wrong dates of birth in a month. Subject: the application's id. */
  date_locked: dateLocked,
  /** A payment that its provider holds. Subject: the attempt's id. */
  held,
} satisfies Record<string, FindOccasion>;

/**
 * What is to be said now; null where nothing is, also because the traveller turned such emails off. One that can be
 * turned off gets the link to do so.
 */
export async function findOccasion(
  platform: Platform,
  kind: ApplicationEmail,
  about: string,
): Promise<Found | null> {
  const asked = await occasions[kind](platform, about);
  const found = asked && { ...asked, write: () => writeToParent(platform, asked) };
  if (!found || !isOptional(kind)) return found;
  const { updatesOf, language, write } = found;
  if (!updatesOf?.emailUpdates) return null;
  return {
    ...found,
    write: async () => {
      const { to, content } = await write();
      const label = textsIn(content.language, 'email')('updatesOff');
      const href = emailUpdatesAddress(platform, updatesOf, language);
      return { to, content: { ...content, off: { label, href } } };
    },
  };
}

/** Writes an email; one that would address a child who placed the order alone addresses the parent. */
async function writeToParent({ db }: Platform, found: Found): Promise<WrittenEmail> {
  const written = await found.write();
  const [id] = found.applicationIds;
  const one = id === undefined ? null : await applicationById(db, id);
  const order = one && (await orderByNumber(db, one.orderNumber));
  const first = one && (await applicationsOfOrder(db, one.orderNumber))[0];
  if (!order || !first || !isChildThen(first, order)) return written;
  const t = textsIn(written.content.language, 'email');
  const name = fullName(first);
  // An order keeps the name that it was placed with, whatever is corrected in its application.
  const isToChild = [name, order.customerName].some(
    (one) => written.content.greeting === t('greeting', { name: one }),
  );
  if (!isToChild) return written;
  return { ...written, content: { ...written.content, greeting: t('greetingParent', { name }) } };
}

export type ApplicationEmail = keyof typeof occasions;

export const isApplicationEmail = (kind: string): kind is ApplicationEmail =>
  Object.hasOwn(occasions, kind);

/** Applications rejected before the payment are no longer part of the order. */
const stillIn = (lines: readonly OrderLine[], applications: readonly Application[]) =>
  applications.filter(({ number }) => lines.some((line) => line.applicationNumber === number));

const idsOf = (applications: readonly Application[]) => applications.map(({ id }) => id);

async function unpaid(
  platform: Platform,
  orderNumber: string,
  isReminder: boolean,
): Promise<Found | null> {
  const { db } = platform;
  const order = await orderByNumber(db, orderNumber);
  if (!order || order.lab) return null;
  // Paid or closed before the job ran, or being confirmed.
  if (payRefusal(order, await attemptsFor(db, order.number)) !== null) return null;
  const lines = await linesOf(db, order.id);
  const applications = stillIn(lines, await applicationsOfOrder(db, order.number));
  const write = async () => {
    const words = wordsFor(await withOperator(platform), order.language);
    const link = payerLink(platform, order);
    const further = isReminder ? await remindedTogether(db, order) : [];
    const content = unpaidEmail(words, { order, lines, applications, link, isReminder, further });
    return { to: order.customerEmail, content };
  };
  // A reminder goes out once a day at most, whatever was placed.
  const unpaidTo = isReminder ? undefined : order.customerEmail;
  const applicationIds = idsOf(applications);
  // The first traveller is the payer.
  const { language } = order;
  return { language, applicationIds, updatesOf: applications[0], unpaidTo, write };
}

async function received(platform: Platform, orderNumber: string): Promise<Found | null> {
  const { db } = platform;
  const order = await orderByNumber(db, orderNumber);
  // Orders of the payment lab hold no applications.
  if (!order?.paidAt || order.lab) return null;
  const { paidAt, paidBy } = order;
  const lines = await linesOf(db, order.id);
  const applications = stillIn(lines, await applicationsOfOrder(db, order.number));
  const write = async () => {
    const attempt = paidBy ? await attemptById(db, paidBy) : null;
    const words = wordsFor(await withOperator(platform), order.language);
    const issued = await receiptsOfOrder(db, order.id);
    const paper = issued.find(({ kind }) => kind === 'receipt');
    if (!paper) throw new Error('A paid order has no receipt');
    const receipt = receiptAddress(platform, paper, order);
    const skipped = skippedIn(applications, paidAt, await currentSettings(db));
    const purchase = {
      order: { ...order, paidAt },
      lines,
      applications,
      attempt,
      skipped,
      receipt,
    };
    return { to: order.customerEmail, content: receivedEmail(words, purchase) };
  };
  return { language: order.language, applicationIds: idsOf(applications), write };
}

/** The email that says what was paid comes before those about what follows from it. */
const afterPayment = (orderNumber: string): Occasion[] => [
  { kind: 'received', about: orderNumber },
];

/** The closed days that the latest promise of an order skips. */
const skippedIn = (applications: readonly Application[], paidAt: Date, settings: Settings) =>
  skippedByLatest(
    applications.map((application) => ({
      promisedAt: promisedNow(application),
      decidedAt: application.decidedAt,
      skipped: skippedDays(application, paidAt, closuresAt(settings, paidAt)),
    })),
  );

async function refunded(platform: Platform, refundId: string): Promise<Found | null> {
  const { db } = platform;
  const note = await creditNoteOfRefund(db, refundId);
  const order = note && (await orderById(db, note.orderId));
  if (!note || !order) return null;
  const numbers = note.facts.lines.map((line) => line.applicationNumber);
  const applications = await applicationsNumbered(db, [...new Set(numbers)]);
  const write = async () => {
    const download = receiptAddress(platform, note, order);
    const facts = { facts: note.facts, creditNumber: numberOf(note), download };
    const content = refundedEmail(wordsFor(await withOperator(platform), order.language), facts);
    return { to: order.customerEmail, content };
  };
  const applicationIds = idsOf(applications);
  // What announces the refund.
  const after: Occasion[] = [
    ...afterPayment(order.number),
    { kind: 'paid_closed', about: order.number },
    { kind: 'cancelled', about: refundId },
    ...applicationIds.map((about) => ({ kind: 'rejected', about }) as const),
  ];
  return { language: order.language, applicationIds, after, write };
}

async function cancelled(platform: Platform, cancellationId: string): Promise<Found | null> {
  const { db } = platform;
  const cancellation = await cancellationById(db, cancellationId);
  const order = cancellation && (await orderById(db, cancellation.orderId));
  if (!cancellation || !order) return null;
  const { applicationNumbers } = cancellation;
  const applications = (await applicationsOfOrder(db, order.number)).filter(({ number }) =>
    applicationNumbers.includes(number),
  );
  const write = async () => {
    const found = await orderRefundById(db, cancellationId);
    const paid = new Map((await linesOf(db, order.id)).map((line) => [line.id, line.amountMinor]));
    const lines = (await linesOfRefunds(db, found ? [found.refund.id] : [])).map((line) => ({
      ...line,
      paidMinor: paid.get(line.orderLineId) ?? line.amountMinor,
      reason: creditReason('cancelled', line.reason),
    }));
    const content = cancelledEmail(wordsFor(await withOperator(platform), order.language), {
      name: order.customerName,
      orderNumber: order.number,
      applications: applications.map((one) => ({ ...one, name: fullName(one) })),
      refund: found && { total: usd(found.payment.amountMinor), lines },
    });
    return { to: order.customerEmail, content };
  };
  const after = afterPayment(order.number);
  return { language: order.language, applicationIds: idsOf(applications), after, write };
}

async function paidClosed(platform: Platform, orderNumber: string): Promise<Found | null> {
  const order = await orderByNumber(platform.db, orderNumber);
  if (!order?.paidAt || order.lab) return null;
  return aboutMoney(platform, order, 'closedPaid', usd(order.amountMinor));
}

async function returned(platform: Platform, refundId: string): Promise<Found | null> {
  const { db } = platform;
  const refund = await refundById(db, refundId);
  const attempt = refund && (await attemptById(db, refund.attemptId));
  const order = attempt && (await orderByNumber(db, attempt.reference));
  if (!order || order.lab || refund?.state !== 'completed') return null;
  const what = refund.reason === 'superseded' ? 'otherAmount' : 'paidTwice';
  return aboutMoney(platform, order, what, usd(refund.amountMinor));
}

/** Nothing once it is decided. */
async function held(platform: Platform, attemptId: string): Promise<Found | null> {
  const attempt = await attemptById(platform.db, attemptId);
  const order = attempt && (await orderByNumber(platform.db, attempt.reference));
  if (!order || order.lab || attempt?.state !== 'pending') return null;
  if (payRefusal(order, [attempt]) !== 'held') return null;
  return aboutMoney(platform, order, 'held', usd(attempt.amountMinor));
}

/** A payment that buys nothing, or nothing yet: the order it was meant for, and the amount that the email is about. */
async function aboutMoney(
  platform: Platform,
  order: Order,
  what: AboutMoney,
  amount: Money,
): Promise<Found> {
  const applications = await applicationsOfOrder(platform.db, order.number);
  const write = async () => {
    const words = wordsFor(await withOperator(platform), order.language);
    const isOfSeveral = areSeveral(applications);
    const content = lateCaptureEmail(words, what, order, amount, isOfSeveral);
    return { to: order.customerEmail, content };
  };
  return { language: order.language, applicationIds: idsOf(applications), write };
}

/** Nothing once it is decided. */
async function processing(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  if (application?.status !== 'processing') return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    return { to, content: processingEmail(words, { application, recipient }) };
  };
  const after = afterPayment(application.orderNumber);
  return { language, applicationIds: [id], updatesOf: application, after, write };
}

async function approved(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  if (application?.status !== 'approved') return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const facts = { ...(await loadApplication(platform, application)), recipient };
    const words = wordsFor(await withOperator(platform), language);
    return { to, content: approvedEmail(words, facts) };
  };
  const after = afterPayment(application.orderNumber);
  return { language, applicationIds: [id], after, write };
}

async function rejected(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  if (application?.status !== 'rejected') return null;
  const unpaid = await unpaidRejection(platform.db, application);
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    const link = unpaid ? payerLink(platform, unpaid.order) : '';
    const money = { unpaid, refund: await rejectionRefundOf(platform.db, application) };
    const content = rejectionEmail(words, { application, recipient }, money, link);
    return { to, content };
  };
  const after = afterPayment(application.orderNumber);
  return { language, applicationIds: idsGone(id, unpaid), after, write };
}

async function rejectedPayer(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  if (application?.status !== 'rejected') return null;
  const unpaid = await unpaidRejection(platform.db, application);
  if (!unpaid || unpaid.order.lab) return null;
  const { order } = unpaid;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), order.language);
    const link = payerLink(platform, order);
    const content = rejectedPayerEmail(words, application, unpaid, link);
    return { to: order.customerEmail, content };
  };
  return { language: order.language, applicationIds: idsGone(id, unpaid), write };
}

const idsGone = (id: string, unpaid: UnpaidRejection | null): string[] =>
  unpaid?.endsToo ? [id, unpaid.endsToo.id] : [id];

async function copyAsked(platform: Platform, applicationId: string): Promise<Found | null> {
  const application = await applicationById(platform.db, applicationId);
  if (!application) return null;
  const recipient = await recipientFor(platform, application);
  const write = async () => {
    const words = wordsFor(await withOperator(platform), recipient.language);
    const link = copyAddress(platform, application);
    return { to: recipient.to, content: copyEmail(words, { application, recipient }, link) };
  };
  return { language: recipient.language, applicationIds: [application.id], write };
}

async function dateLocked(platform: Platform, applicationId: string): Promise<Found | null> {
  const application = await applicationById(platform.db, applicationId);
  if (!application) return null;
  const recipient = await recipientFor(platform, application);
  const write = async () => {
    const words = wordsFor(await withOperator(platform), recipient.language);
    const { download } = await loadApplication(platform, application);
    const content = dateLockedEmail(words, { application, recipient }, platform.now(), download);
    return { to: recipient.to, content };
  };
  return { language: recipient.language, applicationIds: [application.id], write };
}

async function delivered(platform: Platform, documentId: string): Promise<Found | null> {
  const application = await applicationOfDocument(platform.db, documentId);
  if (application?.status !== 'approved') return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const facts = { ...(await loadApplication(platform, application)), recipient };
    const download = facts.download ?? downloadAddress(platform, application);
    const words = wordsFor(await withOperator(platform), language);
    const applicationId = application.id;
    const replacedOf = await replacedMoment(platform.db, { applicationId, documentId });
    const content = documentEmail(words, { ...facts, download, replacedOf });
    return { to, content };
  };
  const after = [{ kind: 'approved', about: application.id }] as const;
  return { language, applicationIds: [application.id], after, write };
}

async function corrected(
  platform: Platform,
  correctionId: string,
  isReminder: boolean,
): Promise<Found | null> {
  const found = await correctionById(platform.db, correctionId);
  const application = found && (await applicationById(platform.db, found.applicationId));
  // Answered or withdrawn before the job ran: the link would no longer work.
  if (!found || !application || found.answeredAt || found.closedAt) return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    const own = textsIn(words.language, application.kind);
    const labels = found.fields.map((field) => own(`labels.${field}`, field));
    const url = correctionAddress(platform, found, { ...application, language: words.language });
    const facts = { application, recipient, labels, correction: found, url, isReminder };
    return { to, content: correctionEmail(words, facts) };
  };
  return { language, applicationIds: [application.id], write };
}

const endOf = ({ answeredAt, expiredAt }: Correction): CorrectionEnd =>
  answeredAt ? 'answered' : expiredAt ? 'expired' : 'withdrawn';

/** Nothing while another correction is open, and once it is decided. */
async function correctionEnded(platform: Platform, correctionId: string): Promise<Found | null> {
  const found = await correctionById(platform.db, correctionId);
  const application = found && (await applicationById(platform.db, found.applicationId));
  const isOver = found?.answeredAt ?? found?.closedAt;
  if (!found || !application || !isOver || application.decidedAt || application.pausedAt)
    return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    const ended = { application, recipient, end: endOf(found), now: platform.now() };
    return { to, content: correctionEndedEmail(words, ended) };
  };
  return { language, applicationIds: [application.id], write };
}

/** Nothing where it was decided before the job ran, or the traveller is waited for. */
async function late(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  const promisedAt = application && promisedNow(application);
  if (!promisedAt || application.decidedAt || !isMissed(application, platform.now())) return null;
  const order = await orderByNumber(platform.db, application.orderNumber);
  if (!order) return null;
  const recipient = recipientOf(application, order);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    const returned = await returnedOf(platform.db, [application.number]);
    const isRefundable =
      application.kind === 'visa' &&
      reachesPayer(application, order) &&
      !returned.has(application.number);
    const link = isRefundable ? payerLink(platform, order) : null;
    const facts = { application, recipient, promisedAt, payerLink: link };
    return { to, content: lateEmail(words, facts) };
  };
  return { language, applicationIds: [id], write };
}

async function cancelledTraveller(platform: Platform, id: string): Promise<Found | null> {
  const application = await applicationById(platform.db, id);
  if (!application) return null;
  const recipient = await recipientFor(platform, application);
  const { to, language } = recipient;
  const write = async () => {
    const words = wordsFor(await withOperator(platform), language);
    return { to, content: cancelledTravellerEmail(words, { application, recipient }) };
  };
  return { language, applicationIds: [id], write };
}

/**
 * To whom an email about an application goes.
 * @throws Error without the application's order, which the database rules out.
 */
export async function recipientFor(
  { db }: Pick<Platform, 'db'>,
  application: Application,
): Promise<Recipient> {
  const order = await orderByNumber(db, application.orderNumber);
  if (!order) throw new Error('An application without an order');
  return recipientOf(application, order);
}

async function loadApplication(platform: Platform, application: Application) {
  const { db, sealer } = platform;
  const [visa, document] = await Promise.all([
    application.kind === 'visa' ? visaDetailsOf(db, sealer, application.id) : null,
    currentDocument(db, application.id),
  ]);
  const download = document ? downloadAddress(platform, application) : null;
  return { application, visa, download };
}
