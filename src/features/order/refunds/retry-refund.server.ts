import { randomUUID } from 'node:crypto';
import { usd } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { requestRefund } from '~/features/payment/settlement/refund-request.server.ts';
import { retryIdOf } from '~/features/payment/settlement/begin.server.ts';
import { lockReference } from '~/features/payment/settlement/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import {
  claimedByLine,
  insertOrderRefund,
  linesOfRefunds,
  orderRefundById,
  type RefundFound,
} from './order-refund-store.server.ts';
import { linesOf } from '../order-lines-store.server.ts';
import { orderById } from '../store.server.ts';

/** `not_failed`: there is nothing to retry. `exceeds`: other refunds have taken what was left. */
export type RetryError = { code: 'not_failed' | 'exceeds' | 'not_refundable' };

/** Opens a refund in place of a failed one, in the order's record and the payment ledger; it needs no release. */
export async function retryFailed(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<RefundFound & { isNew: boolean }, RetryError>> {
  const named = await orderRefundById(tx, refundId);
  const order = named && (await orderById(tx, named.refund.orderId));
  if (!named || !order) return refused({ code: 'not_failed' });
  await lockReference(tx, order.number);
  const id = retryIdOf(refundId);
  const before = await orderRefundById(tx, id);
  if (before) return ok({ ...before, isNew: false });
  const { refund, payment } = (await orderRefundById(tx, refundId)) ?? named;
  if (payment.state !== 'failed') return refused({ code: 'not_failed' });

  const lines = await linesOfRefunds(tx, [refundId]);
  const claimed = await claimedByLine(tx, order.id);
  const paid = new Map((await linesOf(tx, order.id)).map((line) => [line.id, line.amountMinor]));
  const isLeft = lines.every(
    ({ orderLineId, amountMinor }) =>
      amountMinor + (claimed.get(orderLineId) ?? 0) <= (paid.get(orderLineId) ?? 0),
  );
  if (!isLeft) return refused({ code: 'exceeds' });
  const requested = await requestRefund(tx, {
    id,
    attemptId: payment.attemptId,
    amount: usd(payment.amountMinor),
    reason: payment.reason,
    requestedBy: by,
    at,
  });
  if (!requested.ok) return refused({ code: requested.error.code });
  const { applicationNumbers, cause, askedAt, note, orderId } = refund;
  await insertOrderRefund(
    tx,
    { id, orderId, applicationNumbers, cause, askedAt, note, requestedBy: by, requestedAt: at },
    lines.map(({ orderLineId, amountMinor, proposedMinor, reason }) => {
      return { id: randomUUID(), refundId: id, orderLineId, amountMinor, proposedMinor, reason };
    }),
  );
  const opened = await orderRefundById(tx, id);
  if (!opened) throw new Error('The refund was not stored');
  return ok({ ...opened, isNew: true });
}
