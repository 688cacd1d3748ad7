import { addPayerDevice, dropPayerDevices } from '~/features/order/payer/payer-store.server.ts';
import { tellUnpaidNow } from '~/features/email/ledger/queue.server.ts';
import { changePayerEmail, type Order } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { changeEmail } from './change-email-store.server.ts';

/**
 * Gives an unpaid application, and with it its order's payer, the email address that its traveller changed it to. Links
 * sent to the old address stop working; an email with the number and the payment link goes to the new one. The browser
 * that changed it stays the payer's; browsers that became so by an old link do not. Call it with the order locked and
 * the payer's browser checked. Returns whether the address changed.
 */
export async function moveEmail(
  tx: Transaction,
  {
    applicationId,
    email,
    order,
    sessionHash,
    now,
  }: {
    applicationId: string;
    email: string;
    order: Order;
    /** The hash of the browser that makes the change. */
    sessionHash: Buffer | null;
    now: Date;
  },
): Promise<boolean> {
  const changed = await changeEmail(tx, applicationId, email);
  if (!changed?.isPayer && order.customerEmail !== email) {
    await changePayerEmail(tx, order.number, { from: order.customerEmail, to: email });
    await dropPayerDevices(tx, order.id);
  }
  if (order.customerEmail === email) return changed !== null;
  if (sessionHash && !order.sessionHash?.equals(sessionHash)) {
    await addPayerDevice(tx, { orderId: order.id, sessionHash, createdAt: now });
  }
  // A new email for the new address; one to the old address that is still unsent is sent to the new one anyway.
  await tellUnpaidNow(tx, order.number, now);
  return true;
}
