import { randomUUID } from 'node:crypto';
import { emailsOf } from '~/features/application/email-store.server.ts';
import type { Language } from '~/base/languages.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { CaseBase } from '../records/case-base.server.ts';
import { duplicatesOf } from '../duplicates/duplicates.server.ts';
import { emailCorrectionsOf } from './email-correction-store.server.ts';
import { viewEmail } from '../records/email-view.ts';
import { notesOf } from '../notes/note-store.server.ts';
import { timelineParts } from './timeline-parts.server.ts';

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
