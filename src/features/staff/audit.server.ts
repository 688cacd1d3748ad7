import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { AuditAction, AuditSubject } from './audit-words.ts';
import { insertAudit } from './store.server.ts';

export type { AuditAction } from './audit-words.ts';

/**
 * Adds an entry to the audit trail in the caller's transaction. `staffId` is null for automatic actions and for people
 * who are not signed in. `detail` contains ids, codes and counts: no names, addresses or search texts.
 */
export async function audit(
  tx: Queryable,
  entry: {
    at: Date;
    staffId: string | null;
    action: AuditAction;
    subject: { kind: AuditSubject; id: string };
    detail?: Record<string, string | number | boolean | null>;
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
