import { isUuid } from '~/base/uuid.ts';
import { receiptPdf } from '~/features/order/receipt/receipt-link.server.ts';
import { numberOf, receiptById } from '~/features/order/receipt/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';

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
