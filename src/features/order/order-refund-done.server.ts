import type { Transaction } from '~/platform/database.server.ts';
import { enqueue } from '~/platform/jobs.server.ts';
import { completeOrderRefund } from './order-refund-store.server.ts';

/**
 * Notes that a refund's money has gone back, within the transaction that completed it, and has everybody told by the
 * event `order.refunded`. Once only. The refund of a late capture is no order's: nothing was bought with it.
 */
export async function markRefunded(
  tx: Transaction,
  { refundId, at }: { refundId: string; at: Date },
): Promise<void> {
  if (await completeOrderRefund(tx, refundId, at)) {
    await enqueue(tx, 'order.refunded', { refundId }, { key: `refunded:${refundId}` });
  }
}
