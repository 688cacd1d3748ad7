import { keptSince } from '~/base/retention-periods.ts';
import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { refusalOf, rejectionFrom } from './decide-refusal.server.ts';
import type { Decision, DecisionError } from './decision-types.ts';
import { draftOf, deleteDrafts, insertDraft, type Draft } from './draft-store.server.ts';
import { deleteDecisions } from './undo-record-store.server.ts';
import { isUploadFree } from './store.server.ts';

type Drafted = Exclude<Decision, { kind: 'start_processing' }>;

/**
 * Stores a decision as a draft for its author to check. Nothing is decided, but what would be refused later is refused
 * now, so that nobody checks an email that cannot be sent.
 */
export async function draft(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Staff,
  found: Application,
  decision: Drafted,
): Promise<Outcome<string, DecisionError>> {
  const taken = { applicationId: found.id, staffId: staff.id };
  const fileId = decision.kind === 'reject' ? undefined : decision.fileId;
  const refusal = await refusalOf(db, staff, found, decision);
  if (refusal) return refused(refusal);
  if (fileId !== undefined && !(await isUploadFree(db, { ...taken, fileId }))) {
    return refused({ code: 'unknown_document' });
  }
  const rejection = decision.kind === 'reject' ? rejectionFrom(decision) : null;
  const id = randomUUID();
  await insertDraft(db, {
    id,
    ...taken,
    kind: decision.kind,
    seen: (decision.kind !== 'attach' && decision.seen) || found.status,
    fileId: fileId ?? null,
    rejectionCode: rejection?.code ?? null,
    words: rejection?.words ?? null,
    createdAt: now(),
  });
  return ok(id);
}

/** The decision in a draft. */
export function decisionOf({ kind, seen, fileId, rejectionCode, words }: Draft): Drafted {
  if (kind === 'attach') return { kind, fileId: fileId ?? undefined };
  return kind === 'approve'
    ? { kind, seen, fileId: fileId ?? undefined }
    : { kind, seen, code: rejectionCode ?? undefined, reason: words ?? undefined };
}

/** A draft by the id in an address; null unless it is this person's, at this application. */
export async function openDraft(
  { db }: Pick<Platform, 'db'>,
  staff: Staff,
  { application, id }: { application: Application; id: string },
): Promise<Draft | null> {
  if (!isUuid(id)) return null;
  return draftOf(db, { id, staffId: staff.id, applicationId: application.id });
}

/**
 * Deletes drafts that were never sent, whose files are deleted as unused uploads, and how earlier decisions could be
 * undone.
 */
export async function deleteUnsentDrafts({
  db,
  now,
}: {
  db: Queryable;
  now: () => Date;
}): Promise<void> {
  const before = keptSince('deskDraft', now());
  await deleteDrafts(db, before);
  await deleteDecisions(db, before);
}
