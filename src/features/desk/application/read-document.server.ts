import { isUuid } from '~/base/uuid.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { documentById } from './store.server.ts';

/** The bytes of a delivered document; null for an unknown id. The view is recorded in the audit trail. */
export async function readDocument(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<Buffer | null> {
  const document = isUuid(id) ? await documentById(platform.db, id) : null;
  const file = document && (await platform.files.read(document.fileId));
  if (!document || !file) return null;
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'document_viewed',
    subject: { kind: 'application', id: document.applicationId },
    detail: { documentId: id },
  });
  return file.bytes;
}
