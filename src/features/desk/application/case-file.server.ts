import { randomUUID } from 'node:crypto';
import { emailsOf } from '~/features/application/email-store.server.ts';
import type { Language } from '~/base/languages.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { staffNames, auditEntriesWith } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { CaseBase } from './case-base.server.ts';
import { caseActions } from './case-actions.ts';
import { duplicatesOf } from './duplicates.server.ts';
import { emailCorrectionsOf } from './email-correction-store.server.ts';
import { viewEmail } from './email-view.ts';
import { notesOf } from './note-store.server.ts';
import { add, usd, type Money } from '~/base/money.ts';
import {
  linesOfRefunds,
  refundsOfOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { eventsOfAttempts } from '~/features/payment/settlement/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { endsByRefund } from '~/features/status/end-case.server.ts';

/** Actions that only the audit trail records: those of the page, and what happens elsewhere. */
const timelineActions = [
  ...Object.values(caseActions).flatMap((rules) => ('timeline' in rules ? [rules.timeline] : [])),
  'cancelled_by_payer' as const,
  'decision_undone' as const,
];

/** What a timeline contains beside events, notes and emails; staff as ids. */
async function timelineParts(
  db: Queryable,
  { id, number }: Application,
  { order, attempts, claim }: CaseBase,
) {
  const [auditEntries, found, messages] = await Promise.all([
    auditEntriesWith(db, { kind: 'application', id }, timelineActions),
    order ? refundsOfOrder(db, order.id) : [],
    eventsOfAttempts(
      db,
      attempts.map((attempt) => attempt.id),
    ),
  ]);
  const lines = await linesOfRefunds(
    db,
    found.map(({ refund }) => refund.id),
  );
  /** How much of a refund is for this application; null where none is. */
  const shareOf = (refundId: string): Money | null => {
    const own = lines.filter(
      (line) => line.refundId === refundId && line.applicationNumber === number,
    );
    return own.length === 0 ? null : add(...own.map(({ amountMinor }) => usd(amountMinor)));
  };
  return {
    attemptEvents: Object.fromEntries(
      attempts.map((attempt) => [
        attempt.id,
        messages
          .filter(({ attemptId }) => attemptId === attempt.id)
          .map(({ id, event, receivedAt, result }) => ({ id, event, at: receivedAt, result })),
      ]),
    ),
    isBeingRefunded: found.some((one) => endsByRefund(one, number)),
    refunds: found.flatMap(({ refund, payment }) => {
      const amount = shareOf(refund.id);
      if (!amount) return [];
      const { id: key, requestedAt, requestedBy } = refund;
      const { state, decidedAt, releasedAt, releasedBy } = payment;
      return {
        id: key,
        amount,
        state,
        requestedAt,
        requestedBy,
        releasedAt,
        releasedBy,
        decidedAt,
      };
    }),
    auditEntries: auditEntries.flatMap(({ id: key, action: written, at, staffId }) => {
      const action = timelineActions.find((one) => one === written);
      return action ? [{ id: key, action, at, staffId }] : [];
    }),
    claim: claim ? { at: claim.claimedAt, staffId: claim.staffId } : null,
  };
}

export type CaseFile = Awaited<ReturnType<typeof loadCaseFile>>;
export type DuplicateView = CaseFile['duplicates'][number];
export type NoteView = CaseFile['notes'][number];

/**
 * Notes, emails, attempts, timeline and duplicates of an application. They are personal: the caller records the view in
 * the audit trail.
 */
export async function loadCaseFile(
  platform: Platform,
  application: Application,
  { base, language }: { base: CaseBase; language: Language },
) {
  const { db, sealer } = platform;
  const { id: applicationId } = application;
  const [notes, emails, duplicates, parts, corrections] = await Promise.all([
    notesOf(db, sealer, applicationId),
    emailsOf(db, sealer, applicationId),
    duplicatesOf(platform, applicationId),
    timelineParts(db, application, base),
    emailCorrectionsOf(db, sealer, applicationId),
  ]);
  const people = [
    ...notes.flatMap(({ staffId, struck }) => [staffId, struck?.by ?? null]),
    ...emails.map(({ staffId }) => staffId),
    ...corrections.map(({ staffId }) => staffId),
    ...parts.refunds.flatMap(({ requestedBy, releasedBy }) => [requestedBy, releasedBy]),
    ...parts.auditEntries.map(({ staffId }) => staffId),
    parts.claim?.staffId ?? null,
    ...duplicates.map(({ dismissal }) => dismissal?.staffId ?? null),
  ].filter((id) => id !== null);
  const names = await staffNames(db, [...new Set(people)]);
  const t = textsIn(language, 'email');
  const nameOf = (id: string) => names.get(id) ?? '?';
  const maybe = (id: string | null) => (id === null ? null : nameOf(id));
  return {
    /** The id of the next note, so that a form sent twice stores one. */
    nextNote: randomUUID(),
    notes: notes.map(({ id, staffId, text, writtenAt, editedAt, struck }) => ({
      id,
      staffId,
      by: nameOf(staffId),
      text,
      writtenAt,
      editedAt,
      struck: struck && { ...struck, by: nameOf(struck.by) },
    })),
    attemptEvents: parts.attemptEvents,
    isBeingRefunded: parts.isBeingRefunded,
    refunds: parts.refunds.map((refund) => ({
      ...refund,
      requestedBy: maybe(refund.requestedBy),
      releasedBy: maybe(refund.releasedBy),
    })),
    auditEntries: parts.auditEntries.map(({ staffId, ...entry }) => ({
      ...entry,
      by: maybe(staffId),
    })),
    claim: parts.claim && { at: parts.claim.at, by: nameOf(parts.claim.staffId) },
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
