import type { Queryable } from '~/platform/database.server.ts';
import { insertAudit } from './store.server.ts';

export type AuditAction =
  | 'signed_in'
  | 'signed_out'
  | 'sign_in_failed'
  | 'sign_in_blocked'
  | 'code_failed'
  | 'second_factor_set_up'
  | 'second_factor_reset'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'password_changed'
  | 'sessions_ended'
  | 'staff_invited'
  | 'invitation_withdrawn'
  | 'invitation_accepted'
  | 'role_changed'
  | 'account_deactivated'
  | 'account_reactivated'
  | 'applications_listed'
  | 'application_viewed'
  | 'numbers_revealed'
  | 'processing_started'
  | 'approved'
  | 'rejected'
  | 'document_uploaded'
  | 'document_attached'
  | 'document_viewed'
  | 'photo_viewed'
  | 'order_viewed'
  | 'refunds_listed'
  | 'refund_opened'
  | 'refund_released'
  | 'refund_withdrawn'
  | 'outbox_viewed'
  | 'email_sent';

/**
 * Writes one line of the audit trail, in the caller's transaction. `staffId` is null for what the service does itself
 * and for a stranger at the door. `detail` holds ids, codes and counts: no names, addresses or search words.
 */
export async function audit(
  tx: Queryable,
  entry: {
    at: Date;
    staffId: string | null;
    action: AuditAction;
    subject: {
      kind: 'application' | 'order' | 'refund' | 'queue' | 'account' | 'file' | 'outbox';
      id: string;
    };
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
