import { keptSince } from '~/base/retention-periods.ts';
import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { type Rejection } from '~/features/application/rejection.ts';
import { type ApplicationStatus } from '~/features/application/status-machine.ts';
import { currentDocument, type Application } from '~/features/application/store.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { approve, attach, reject } from './decide.server.ts';
import { refusalOf, staleness } from './decide-refusal.server.ts';
import type { DecisionError } from './decision.ts';
import {
  draftOf,
  deleteDrafts,
  insertDraft,
  removeDraft,
  type Draft,
} from './draft-store.server.ts';
import { isUploadFree } from '../records/store.server.ts';

type Planned =
  | { kind: 'approve' | 'attach'; fileId: string | null }
  | { kind: 'reject'; rejection: Rejection };

/**
 * Keeps a decision for its author to look at. Nothing is decided, but what would be refused anyway is refused now:
 * nobody should read a letter that cannot go.
 */
export async function draft(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Staff,
  found: Application,
  planned: Planned & { seen: ApplicationStatus | undefined },
): Promise<Outcome<string, DecisionError>> {
  const { kind, seen = found.status } = planned;
  if (!may(staff.role, kind === 'attach' ? 'attach_document' : kind)) {
    return refused({ code: 'forbidden' });
  }
  const fileId = kind === 'reject' ? null : planned.fileId;
  const rejection = kind === 'reject' ? planned.rejection : { code: null, words: null };
  const taken = { applicationId: found.id, staffId: staff.id };
  if (fileId !== null && !(await isUploadFree(db, { ...taken, fileId }))) {
    return refused({ code: 'unknown_document' });
  }
  if (kind === 'attach') {
    if (fileId === null) return refused({ code: 'document_required' });
    if (found.status !== 'approved') return refused({ code: 'not_approved' });
    if ((await currentDocument(db, found.id)) && !may(staff.role, 'replace_document')) {
      return refused({ code: 'forbidden' });
    }
  } else if (seen !== found.status || found.decidedAt) {
    return refused(await db.transaction((tx) => staleness(tx, found)));
  } else {
    const rejected = kind === 'reject' ? planned.rejection : undefined;
    const refusal = refusalOf(found, kind, rejected);
    if (refusal) return refused(refusal);
  }
  const id = randomUUID();
  await insertDraft(db, {
    id,
    ...taken,
    kind,
    seen,
    fileId,
    rejectionCode: rejection.code,
    words: rejection.words,
    createdAt: now(),
  });
  return ok(id);
}

/** A draft by its id in an address; null unless it is this person's, at this application. */
export async function openDraft(
  { db }: Pick<Platform, 'db'>,
  staff: Staff,
  { application, id }: { application: Application; id: string },
): Promise<Draft | null> {
  if (!isUuid(id)) return null;
  return draftOf(db, { id, staffId: staff.id, applicationId: application.id });
}

/**
 * Does what the draft says, by the same commands as the calls; once done, the draft is gone. `hasCompared`: its author
 * said that a PDF which seems to be another traveller's was looked at.
 */
export async function sendDraft(
  platform: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  { id, kind, applicationId, seen, fileId, rejectionCode, words }: Draft,
  { hasCompared }: { hasCompared: boolean },
): Promise<Outcome<Application, DecisionError>> {
  const outcome = await (async () => {
    if (!may(staff.role, kind === 'attach' ? 'attach_document' : kind)) {
      return refused({ code: 'forbidden' } as const);
    }
    switch (kind) {
      case 'approve':
        return approve(platform, staff, {
          applicationId,
          seen,
          fileId: fileId ?? undefined,
          hasCompared,
        });
      case 'attach':
        return attach(platform, staff, { applicationId, fileId: fileId ?? '', hasCompared });
      case 'reject': {
        const [code, reason] = [rejectionCode ?? undefined, words ?? undefined];
        return reject(platform, staff, { applicationId, seen, code, reason });
      }
    }
  })();
  if (outcome.ok) await removeDraft(platform.db, id);
  return outcome;
}

/** Removes the drafts that were never sent; their files go as unused uploads do. */
export const deleteUnsentDrafts = ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> =>
  deleteDrafts(db, keptSince('deskDraft', now()));
