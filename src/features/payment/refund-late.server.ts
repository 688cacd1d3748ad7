import { usd } from '~/base/money.ts';
import type { Transaction } from '~/platform/database.server.ts';
import { requestRefund } from './refund-request.server.ts';
import { refundsOf } from './refund-store.server.ts';
import { attemptById, lockReference } from './store.server.ts';

/**
 * Asks for the refund of a capture that arrived for an order which somebody else's capture had paid. Once: one that
 * failed is for a person to look at.
 */
export async function returnLate(tx: Transaction, attemptId: string, at: Date): Promise<void> {
  const attempt = await attemptById(tx, attemptId);
  if (attempt?.state !== 'captured_late' || attempt.captureId === null) return;
  await lockReference(tx, attempt.reference);
  if ((await refundsOf(tx, [attemptId])).length > 0) return;
  await requestRefund(tx, {
    attemptId,
    amount: usd(attempt.amountMinor),
    reason: 'paid_twice',
    requestedBy: 'system',
    at,
  });
}
