import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { sameMoney, usd } from '~/base/money.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { ProviderRefundEvent, RefundState } from '../provider.ts';
import type { RefundEvent } from '../refund-machine.ts';
import { settleRefundEvent, type RefundContext } from './refund.server.ts';
import { refundById, type Refund } from './refund-store.server.ts';
import {
  attemptById,
  attemptByCapture,
  eventResult,
  insertEvent,
  raiseAlert,
  setEventResult,
  type Attempt,
} from './store.server.ts';
import { and, eq } from 'drizzle-orm';
import { paymentRefund } from '../tables.server.ts';

/**
 * The result of an event about a refund. `by_hand`: a refund of our capture that we did not ask for; stored, with an
 * alert. `unknown_reference`: neither refund nor capture is ours; stored, with an alert, and not acknowledged.
 */
export type RefundSettled =
  | 'moved'
  | 'ignored'
  | 'duplicate'
  | 'by_hand'
  | 'wrong_amount'
  | 'unknown_reference';

const events: Record<RefundState, RefundEvent> = {
  pending: 'wait',
  completed: 'complete',
  failed: 'fail',
};

/** Applies a verified event about a refund: inbox, ledger and consequences commit together. */
export async function settleRefund(
  platform: Platform,
  provider: ProviderName,
  providerEvent: ProviderRefundEvent,
  { onRefunded }: Pick<RefundContext, 'onRefunded'>,
): Promise<RefundSettled> {
  const at = platform.now();
  return platform.db.transaction(async (tx) => {
    const { refund, attempt } = await ours(tx, provider, providerEvent);
    const id = randomUUID();
    const statement = { ...providerEvent, event: `refund_${providerEvent.state}` };
    const first = await insertEvent(tx, provider, statement, {
      id,
      attemptId: attempt?.id ?? null,
      receivedAt: at,
      result: 'received',
    });
    const finish = async (result: RefundSettled): Promise<RefundSettled> => {
      await setEventResult(tx, id, result);
      return result;
    };
    if (!first) {
      const before = await eventResult(tx, provider, providerEvent.eventId);
      return before === 'unknown_reference' || before === 'wrong_amount' ? before : 'duplicate';
    }
    if (!refund) {
      const { providerRefundId, state } = providerEvent;
      const isFailed = state === 'failed';
      const about = unknownRefundAlert(provider, { attempt, providerRefundId, isFailed });
      await raiseAlert(tx, { ...about, detail: detailOf(providerEvent), raisedAt: at });
      return finish(attempt ? 'by_hand' : 'unknown_reference');
    }
    if (providerEvent.amount && !sameMoney(providerEvent.amount, usd(refund.amountMinor))) {
      await raiseAlert(tx, {
        id: randomUUID(),
        kind: 'wrong_amount',
        attemptId: refund.attemptId,
        detail: detailOf(providerEvent),
        raisedAt: at,
      });
      return finish('wrong_amount');
    }
    const word = {
      event: events[providerEvent.state],
      providerRefundId: providerEvent.providerRefundId,
    };
    return finish(await settleRefundEvent(tx, { onRefunded }, { refundId: refund.id, at }, word));
  });
}

/** Found by our id, or by the capture and the provider's id. */
async function ours(
  tx: Transaction,
  provider: ProviderName,
  { refundId, captureId, providerRefundId }: ProviderRefundEvent,
): Promise<{ refund: Refund | null; attempt: Attempt | null }> {
  const named = refundId && isUuid(refundId) ? await refundById(tx, refundId) : null;
  const attempt = named
    ? await attemptById(tx, named.attemptId)
    : captureId
      ? await attemptByCapture(tx, provider, captureId)
      : null;
  if (!attempt || attempt.provider !== provider) return { refund: null, attempt: null };
  return { refund: named ?? (await refundOfProvider(tx, attempt.id, providerRefundId)), attempt };
}

const detailOf = ({
  eventId,
  providerRefundId,
  captureId,
  amount,
  payload,
}: ProviderRefundEvent) => ({
  eventId,
  providerRefundId,
  captureId,
  amountMinor: amount?.minor ?? null,
  ...payload,
});

/**
 * The alert about a refund that we did not ask for: one for each refund of a capture of ours, whether a notification or
 * the provider's books tell of it first, and another where it fails.
 */
export const unknownRefundAlert = (
  provider: string,
  {
    attempt,
    providerRefundId,
    isFailed,
  }: { attempt: Attempt | null; providerRefundId: string; isFailed: boolean },
) => ({
  id: randomUUID(),
  kind: 'unknown_refund' as const,
  attemptId: attempt?.id ?? null,
  once: attempt ? `unknown_refund:${provider}:${providerRefundId}:${isFailed}` : null,
});

/** By the provider's own id, for events without ours. */
async function refundOfProvider(
  db: Queryable,
  attemptId: string,
  providerRefundId: string,
): Promise<Refund | null> {
  const [row] = await db
    .select()
    .from(paymentRefund)
    .where(
      and(
        eq(paymentRefund.attemptId, attemptId),
        eq(paymentRefund.providerRefundId, providerRefundId),
      ),
    );
  return row ?? null;
}
