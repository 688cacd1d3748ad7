import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/ledger/queue.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { completeOrderRefund, orderRefundById } from './order-refund-store.server.ts';

/**
 * Marks a refund as done, in the transaction that completed it, and enqueues `order.refunded`, once. The refund of a
 * late capture belongs to no order: nothing was bought with it, so there is no receipt to correct, and the traveller
 * gets an email of its own.
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
