import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { AuditAction, AuditSubject } from './audit-words.ts';
import type { Staff } from './staff.ts';
import { insertAudit, insertAudits } from './store.server.ts';

export type { AuditAction } from './audit-words.ts';

/** Ids, codes and counts: no names, addresses or search texts. */
export type AuditDetail = Record<string, string | number | boolean | null>;

/**
 * Adds an entry to the audit trail in the caller's transaction. `staffId` is null for automatic actions and for people
 * who are not signed in.
 */
export async function audit(
  tx: Queryable,
  entry: {
    at: Date;
    staffId: string | null;
    action: AuditAction;
    subject: { kind: AuditSubject; id: string };
    detail?: AuditDetail | undefined;
  },
): Promise<void> {
  const { at, staffId, action, subject, detail = {} } = entry;
  await insertAudit(tx, {
    at,
    staffId,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail,
  });
}

type AccountEntry = {
  at: Date;
  action: AuditAction;
  /** Who did it, where that was not the account's owner; null: nobody who is signed in. */
  by?: string | null;
  detail?: AuditDetail | undefined;
};

/** Adds what was done with an account. */
export const auditAccount = (
  tx: Queryable,
  id: string,
  { by = id, ...entry }: AccountEntry,
): Promise<void> => audit(tx, { ...entry, staffId: by, subject: { kind: 'account', id } });

/** Records that one of the staff saw applications, by their ids. */
export const auditViews = (...what: SeenApplications): Promise<void> =>
  auditSeen('application_viewed', what);

/** Records that one of the staff saw the passport numbers of applications in full, by the applications' ids. */
export const auditReveals = (...what: SeenApplications): Promise<void> =>
  auditSeen('numbers_revealed', what);

type SeenApplications = [
  db: Queryable,
  staff: Pick<Staff, 'id'>,
  applicationIds: readonly string[],
  at: Date,
];

function auditSeen(
  action: AuditAction,
  [db, { id: staffId }, applicationIds, at]: SeenApplications,
): Promise<void> {
  const subjectKind = 'application' as const satisfies AuditSubject;
  const entries = applicationIds.map((subjectId) => ({
    at,
    staffId,
    action,
    subjectKind,
    subjectId,
    detail: {},
  }));
  return insertAudits(db, entries);
}
