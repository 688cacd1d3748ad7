import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/queue.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { completeOrderRefund, orderRefundById } from './order-refund-store.server.ts';

/**
 * Notes that a refund's money has gone back, within the transaction that completed it, and has everybody told by the
 * event `order.refunded`. Once only. The refund of a late capture is no order's: nothing was bought with it, no receipt
 * was issued and so no credit note corrects one; the traveller is told by an e-mail of its own.
 */
export async function markRefunded(
  tx: Transaction,
  { refundId, at }: { refundId: string; at: Date },
): Promise<void> {
  if (await completeOrderRefund(tx, refundId, at)) {
    await enqueue(tx, 'order.refunded', { refundId }, { key: `refunded:${refundId}` });
  } else if (!(await orderRefundById(tx, refundId))) {
    await queueEmail(tx, { kind: 'returned', about: refundId, createdAt: at });
  }
}
