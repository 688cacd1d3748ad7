import { usd } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { lockedRefund, requestRefund, type RequestError } from './refund-request.server.ts';
import { refundById, refundsOf, type Refund } from './refund-store.server.ts';
import { retryIdOf } from './retry-id.server.ts';
import { attemptById, lockReference } from './store.server.ts';

/**
 * Asks for the refund of a capture for an order that another capture had paid, or that has another amount by now. Once:
 * staff look at one that failed.
 */
export async function returnLate(tx: Transaction, attemptId: string, at: Date): Promise<void> {
  const attempt = await attemptById(tx, attemptId);
  if (attempt?.state !== 'captured_late' || attempt.captureId === null) return;
  await lockReference(tx, attempt.reference);
  if ((await refundsOf(tx, [attemptId])).length > 0) return;
  await requestRefund(tx, {
    attemptId,
    amount: usd(attempt.amountMinor),
    reason: attempt.supersededAt ? 'superseded' : 'paid_twice',
    requestedBy: 'system',
    at,
  });
}

/** `not_failed`: there is no failed refund of a late capture. */
export type RetryLateError = RequestError | { code: 'not_failed' };

/** Retries the refund of a late capture that staff have looked at; pressing twice makes one. */
export async function retryLate(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<{ refund: Refund; isNew: boolean }, RetryLateError>> {
  const failed = await lockedRefund(tx, refundId);
  const attempt = failed && (await attemptById(tx, failed.attemptId));
  if (!failed || !attempt) return refused({ code: 'not_failed' });
  const id = retryIdOf(refundId);
  const before = await refundById(tx, id);
  if (before) return ok({ refund: before, isNew: false });
  if (failed.state !== 'failed' || attempt.state !== 'captured_late') {
    return refused({ code: 'not_failed' });
  }
  const { attemptId, reason } = failed;
  const amount = usd(failed.amountMinor);
  const again = await requestRefund(tx, { id, attemptId, amount, reason, requestedBy: by, at });
  return again.ok ? ok({ refund: again.value, isNew: true }) : again;
}
