import { isUuid } from '~/base/uuid.ts';
import { submittedPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** A photo of a parent's ID, decrypted; null for an unknown id. The view is recorded in the audit trail first. */
export async function readPhoto(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<{ bytes: Buffer; mediaType: string } | null> {
  const photo = isUuid(id) ? await submittedPhoto(platform.db, id) : null;
  const file = photo && (await platform.files.read(photo.fileId));
  if (!photo || !file) return null;
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'photo_viewed',
    subject: { kind: 'application', id: photo.applicationId },
    detail: { photoId: id },
  });
  return { bytes: file.bytes, mediaType: file.mediaType };
}
