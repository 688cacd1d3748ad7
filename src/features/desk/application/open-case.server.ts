import type { Language } from '~/base/languages.ts';
import { type Application, applicationsByOrder } from '~/features/application/store.server.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { caseBase, describeAll, type ApplicationDetail, type CaseBase } from './detail.server.ts';
import { holderNamed, type Holder } from './claim.server.ts';
import { createHash, randomUUID } from 'node:crypto';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { staffNames, auditEntriesByActions } from '~/features/staff/store.server.ts';
import { caseActions } from './case-actions.ts';
import { findDuplicates } from './duplicates.server.ts';
import { emailCorrectionsByApplication } from './case-emails.server.ts';
import { messagesByApplication } from '~/features/application/messages/messages.server.ts';
import { notesByApplication } from './notes.server.ts';
import { findPutOff } from './put-off.server.ts';
import { add, usd } from '~/base/money.ts';
import {
  linesByRefunds,
  refundsByOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { endsByRefund } from '~/features/status/end-case.server.ts';
import type { Translate } from '~/base/read-text.ts';
import type { Email } from '~/features/email/ledger/store.server.ts';
import { hasSeveralTravellers, byTraveller } from '~/features/application/travellers.ts';
import { listedName } from '~/features/application/full-name.ts';

/** The data of an application's page, and a hash that changes with any of it. */
export type OpenCase = {
  application: ApplicationDetail;
  caseFile: CaseFile;
  holder: Holder | null;
  mark: string;
};

/**
 * Loads the data of an application's page for one of the staff. It is personal: the caller records the view in the
 * audit trail by `auditOpened`.
 */
export async function openCase(
  platform: Platform,
  staff: Staff,
  found: Application,
  language: Language,
): Promise<OpenCase> {
  const base = await caseBase(platform, found);
  const [holder, caseFile, [application]] = await Promise.all([
    found.decidedAt || !base.claim ? null : holderNamed(platform.db, staff, base.claim),
    loadCaseFile(platform, found, { base, language }),
    describeAll(platform, [found], { language, reveal: false, comparesChanges: true, base }),
  ]);
  if (!application) throw new Error('One application is described by none');
  // Left out of the hash: the id of the next note, which is random, and the reader's own claim.
  const { nextNote: _, claim: __, ...known } = caseFile;
  const mark = hashShown({ application, caseFile: known, holder: holder?.name ?? null });
  return { holder, caseFile, application, mark };
}

/** Records that one of the staff saw an opened application, and the numbers that it shows in full. */
export async function auditOpened(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  { application: { id, showsNumbers } }: Pick<OpenCase, 'application'>,
): Promise<void> {
  await auditViews(db, staff, [id], now());
  if (showsNumbers) await auditReveals(db, staff, [id], now());
}

/** A short hash of what a page shows: another one wherever anything of it is other. */
export const hashShown = (shown: object): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);

/** Actions that only the audit trail records: those of the page, and what happens elsewhere. */
const timelineActions = [
  ...Object.values(caseActions).flatMap((rules) => ('inTimeline' in rules ? rules.audit : [])),
  'cancelled_by_payer' as const,
  'decision_undone' as const,
  'message_taken_back' as const,
];

export type CaseFile = Awaited<ReturnType<typeof loadCaseFile>>;
export type DuplicateView = CaseFile['duplicates'][number];
export type NoteView = CaseFile['notes'][number];
export type MessageView = CaseFile['messages'][number];

/**
 * Notes, messages, emails, timeline and duplicates of an application. They are personal: the caller records the view in the audit
 * trail.
 */
async function loadCaseFile(
  { db, sealer, now }: Platform,
  { id: applicationId, number, email }: Application,
  { base: { order, claim }, language }: { base: CaseBase; language: Language },
) {
  const [notes, messages, putOff, emails, duplicates, corrections, entries, refunds] =
    await Promise.all([
      notesByApplication(db, sealer, applicationId),
      messagesByApplication(db, sealer, applicationId),
      findPutOff({ db, sealer }, { applicationId, now: now() }),
      applicationEmails(db, sealer, applicationId),
      findDuplicates({ db, sealer }, applicationId),
      emailCorrectionsByApplication(db, sealer, applicationId),
      auditEntriesByActions(db, { kind: 'application', id: applicationId }, timelineActions),
      order ? refundsByOrder(db, order.id) : [],
    ]);
  const lines = await linesByRefunds(
    db,
    refunds.map(({ refund }) => refund.id),
  );
  const people = [
    ...notes.flatMap(({ staffId, struck }) => [staffId, struck?.by ?? null]),
    ...[...messages, ...emails, ...corrections, ...entries].map(({ staffId }) => staffId),
    ...refunds.flatMap(({ refund, payment }) => [refund.requestedBy, payment.releasedBy]),
    claim?.staffId ?? null,
    ...duplicates.map(({ dismissal }) => dismissal?.staffId ?? null),
  ].filter((id) => id !== null);
  const names = await staffNames(db, [...new Set(people)]);
  const t = makeTranslate(language, 'email');
  const nameOf = (id: string) => names.get(id) ?? '?';
  const maybe = (id: string | null) => (id === null ? null : nameOf(id));
  const known = [email, order?.customerEmail].map((one) => one?.toLowerCase());
  return {
    /** The id of the next note, so that a form sent twice stores one. */
    nextNote: randomUUID(),
    putOff,
    notes: notes.map(({ id, staffId, text, writtenAt, editedAt, struck }) => ({
      id,
      staffId,
      by: nameOf(staffId),
      text,
      writtenAt,
      editedAt,
      struck: struck && { ...struck, by: nameOf(struck.by) },
    })),
    messages: messages.map(({ staffId, direction, readAt, applicationId: _, ...message }) => ({
      ...message,
      by: maybe(staffId),
      /** Nobody has read or answered it. */
      isNew: direction === 'in' && readAt === null,
      /** Whether it says that it comes from an address of the application. */
      isKnown: message.sender === null || known.includes(message.sender.toLowerCase()),
      /** Of the email of what staff wrote; it is not linked before its first try. */
      state: direction === 'out' ? stateOfMessage(emails, message.id) : null,
    })),
    isBeingRefunded: refunds.some((one) => endsByRefund(one, number)),
    /** Those that are for this application, each with its share. */
    refunds: refunds.flatMap(({ refund, payment }) => {
      const own = lines.filter(
        (line) => line.refundId === refund.id && line.applicationNumber === number,
      );
      if (own.length === 0) return [];
      return {
        id: refund.id,
        amount: add(...own.map(({ amountMinor }) => usd(amountMinor))),
        state: payment.state,
        requestedAt: refund.requestedAt,
        requestedBy: maybe(refund.requestedBy),
        releasedAt: payment.releasedAt,
        releasedBy: maybe(payment.releasedBy),
        decidedAt: payment.decidedAt,
      };
    }),
    auditEntries: entries.flatMap(({ id, action: written, at, staffId }) => {
      const action = timelineActions.find((one) => one === written);
      return action ? [{ id, action, at, by: maybe(staffId) }] : [];
    }),
    claim: claim && { at: claim.claimedAt, by: nameOf(claim.staffId) },
    duplicates: duplicates.map(({ trip, reasons, dismissal }) => ({
      id: trip.id,
      number: trip.number,
      name: trip.name,
      status: trip.status,
      from: trip.from,
      until: trip.until,
      reasons,
      dismissal: dismissal && {
        by: nameOf(dismissal.staffId),
        at: dismissal.dismissedAt,
        why: dismissal.why,
      },
    })),
    emailCorrections: corrections.map(({ staffId, ...made }) => ({ ...made, by: nameOf(staffId) })),
    emails: emails.map((email) => viewEmail(email, nameOf, t)),
  };
}

type EmailState = 'sent' | 'failed' | 'queued';

const stateOf = ({ sentAt, failure }: Pick<Email, 'sentAt' | 'failure'>): EmailState =>
  sentAt ? 'sent' : failure ? 'failed' : 'queued';

const stateOfMessage = (emails: readonly Email[], id: string): EmailState => {
  const email = emails.find(
    ({ kind, about, resentFrom }) => kind === 'message' && about === id && !resentFrom,
  );
  return email ? stateOf(email) : 'queued';
};

/** What the desk shows of an email in a list. */
function viewEmail(email: Email, nameOf: (id: string) => string, t: Translate<'email'>) {
  const { id, kind, content, language, createdAt, sentAt, failedAt, failure, resentFrom, staffId } =
    email;
  return {
    id,
    kind,
    kindName: t(`kind.${kind}`, kind),
    state: stateOf(email),
    /** The moment of its state: sent, failed last, or queued. */
    at: sentAt ?? failedAt ?? createdAt,
    createdAt,
    failure,
    to: content && maskEmail(content.to),
    subject: content?.subject ?? null,
    /** Of the subject. */
    language,
    /** Who had it sent again; null for an original. */
    resentBy: resentFrom && staffId ? nameOf(staffId) : null,
  };
}

export type EmailView = ReturnType<typeof viewEmail>;

/** An email address that its owner recognises and others cannot read: "t•••o@example.org". */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 1) return '•••';
  const name = Array.from(address.slice(0, at));
  const last = name.length > 2 ? name.at(-1) : '';
  return `${name[0] ?? ''}•••${last ?? ''}${address.slice(at)}`;
}

export type FellowTravellers = {
  orderNumber: string;
  /** Which of them the application is of, from 1. */
  place: number;
  /** Each with the application of the same kind, or another one where there is none. */
  travellers: { number: string; name: string }[];
};

/** The travellers of an application's order; null for an order of one. */
export async function fellowTravellers(
  db: Queryable,
  found: Application,
): Promise<FellowTravellers | null> {
  // An order of one application has that application's number.
  if (found.orderNumber === found.number) return null;
  const together = await applicationsByOrder(db, found.orderNumber);
  if (!hasSeveralTravellers(together)) return null;
  const everybody = byTraveller(together);
  const place = everybody.findIndex(({ position }) => position === found.travellerPosition) + 1;
  const travellers = everybody.flatMap(({ applications }) => {
    const shown = applications.find(({ kind }) => kind === found.kind) ?? applications[0];
    return shown ? [{ number: shown.number, name: listedName(shown) }] : [];
  });
  return { orderNumber: found.orderNumber, place, travellers };
}
