import { addPayerDevice, dropPayerDevices } from '~/features/order/payer/payer-store.server.ts';
import { changePayerEmail, type Order } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/queue.server.ts';
import { changeEmail } from '../change-email-store.server.ts';

/**
 * Gives an unpaid application, and with it its order's payer, the e-mail address that its traveller changed it to. What was
 * sent to the old one opens nothing any more, and the number with the way to pay goes to the new one. The browser that
 * changed it stays the payer's; other browsers were made so by the links that end. Call it with the order held and its
 * payer's browser checked. Answers whether the address is another one.
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
    /** Of the browser that changes it. */
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
  // Another address is another occasion; what was not sent yet to the old one goes to the new one anyway.
  await queueEmail(tx, { kind: 'unpaid', about: order.number, createdAt: now, isRepeat: true });
  return true;
}
