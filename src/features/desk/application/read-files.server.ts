import { isUuid } from '~/base/uuid.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { documentById } from './store.server.ts';
import { submittedPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { receiptPdf } from '~/features/order/receipt/receipt-link.server.ts';
import { numberOf, receiptById } from '~/features/order/receipt/store.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/request.server.ts';

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

/** A receipt or credit note as PDF; null for an unknown id. The view is recorded in the audit trail first. */
export async function readReceipt(
  platform: Platform,
  staff: Staff,
  id: string,
): Promise<{ number: string; bytes: Buffer } | null> {
  const receipt = isUuid(id) ? await receiptById(platform.db, id) : null;
  if (!receipt) return null;
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'receipt_viewed',
    subject: { kind: 'order', id: receipt.orderId },
    detail: { receiptId: id },
  });
  return { number: numberOf(receipt), bytes: await receiptPdf(receipt) };
}

/** A PDF response for staff, shown by the browser's own reader without access to our origin. */
export const pdfAnswer = (bytes: Buffer, frameAncestors: "'none'" | "'self'"): Response =>
  new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="document.pdf"',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`,
      ...PRIVATE_PAGE,
    },
  });
