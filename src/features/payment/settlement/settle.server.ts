import { randomUUID } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  isDecided,
  nextTransition,
  type Mismatch,
  type AttemptSnapshot,
  type Transition,
} from '../machine.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { ProviderEvent } from '../provider.ts';
import { queuePageClosing } from './close-page.server.ts';
import {
  attemptById,
  attemptByCapture,
  attemptsByReference,
  changeAttempt,
  dropAlert,
  eventResult,
  insertEvent,
  lockReference,
  raiseAlert,
  setEventResult,
  type Attempt,
  pendingAlert,
} from './store.server.ts';
import { usd } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { lockedRefund, requestRefund, type RequestError } from './refund-request.server.ts';
import { refundById, refundsByAttempts, type Refund } from './refund-store.server.ts';
import { makeRetryId } from './begin.server.ts';

/**
 * Asks for the refund of a capture for an order that another capture had paid, or that has another amount by now. Once:
 * staff look at one that failed.
 */
export async function refundLateCapture(
  tx: Transaction,
  attemptId: string,
  at: Date,
): Promise<void> {
  const attempt = await attemptById(tx, attemptId);
  if (attempt?.state !== 'captured_late' || attempt.captureId === null) return;
  await lockReference(tx, attempt.reference);
  if ((await refundsByAttempts(tx, [attemptId])).length > 0) return;
  await requestRefund(tx, {
    attemptId,
    amount: usd(attempt.amountMinor),
    reason: attempt.supersededAt ? 'superseded' : 'paid_twice',
    requestedBy: 'system',
    at,
  });
}

/** `not_failed`: there is no failed refund of a late capture. */
type RetryLateError = RequestError | { code: 'not_failed' };

/** Retries the refund of a late capture that staff have looked at; pressing twice makes one. */
export async function retryLateRefund(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<{ refund: Refund; isNew: boolean }, RetryLateError>> {
  const failed = await lockedRefund(tx, refundId);
  const attempt = failed && (await attemptById(tx, failed.attemptId));
  if (!failed || !attempt) return refused({ code: 'not_failed' });
  const id = makeRetryId(refundId);
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

/** The job that tells the payer that a payment is held by its provider, or was and came to nothing. */
export const HELD_JOB = 'payment.held';

/** What a payment causes, in the same transaction. `order` provides it; payment only knows the reference. */
export type OnPaid = (
  tx: Transaction,
  paid: { reference: string; attemptId: string; at: Date },
) => Promise<void>;

/**
 * The result of an event. A mismatch or an `unknown_reference` changed nothing, but was stored and raised an alert; it
 * is never acknowledged to the provider, however often it is delivered.
 */
export type SettlementResult =
  | { kind: 'moved' | 'ignored' | 'refused' | 'duplicate'; attempt: Attempt }
  | { kind: Mismatch; attempt: Attempt }
  | { kind: 'unknown_reference' };

/**
 * Applies one verified event: inbox, state, paid order and consequences commit together or not at all. Events may be
 * repeated and arrive in any order; the end state is the same.
 */
export async function settle(
  platform: Platform,
  provider: ProviderName,
  providerEvent: ProviderEvent,
  onPaid: OnPaid,
): Promise<SettlementResult> {
  const known = await attemptById(platform.db, providerEvent.attemptId);
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    const eventRow = randomUUID();
    const kept = { id: eventRow, receivedAt: now };
    if (!known || known.provider !== provider) {
      const first = await insertEvent(tx, provider, providerEvent, {
        ...kept,
        attemptId: null,
        result: 'unknown_reference',
      });
      if (first) await alert(tx, 'unknown_reference', null, providerEvent, now);
      return { kind: 'unknown_reference' };
    }

    await lockReference(tx, known.reference);
    const attempt = (await attemptById(tx, known.id)) ?? known;
    const first = await insertEvent(tx, provider, providerEvent, {
      ...kept,
      attemptId: attempt.id,
      result: 'received',
    });
    if (!first) {
      const before = await eventResult(tx, provider, providerEvent.eventId);
      return { kind: isMismatch(before) ? before : 'duplicate', attempt };
    }

    const others = (await attemptsByReference(tx, attempt.reference)).filter(
      ({ id }) => id !== attempt.id,
    );
    const standing = await standingOf(tx, attempt, others, providerEvent);
    const transition = nextTransition(standing, providerEvent);
    if (isMismatch(transition.kind)) {
      await setEventResult(tx, eventRow, transition.kind);
      await alert(tx, transition.kind, attempt.id, providerEvent, now);
      return { kind: transition.kind, attempt };
    }
    await setEventResult(tx, eventRow, transition.kind);
    if (transition.kind === 'moved')
      return move(tx, attempt, transition, providerEvent, { now, onPaid, others });
    if ('isSecondCapture' in transition && transition.isSecondCapture) {
      await alert(tx, 'paid_twice', attempt.id, providerEvent, now);
    }
    return { kind: transition.kind, attempt };
  });
}

const isMismatch = (result: string | null): result is Mismatch =>
  result === 'wrong_amount' || result === 'capture_reused';

async function standingOf(
  tx: Transaction,
  attempt: Attempt,
  others: readonly Attempt[],
  { captureId }: ProviderEvent,
): Promise<AttemptSnapshot> {
  const owner = captureId ? await attemptByCapture(tx, attempt.provider, captureId) : null;
  return {
    state: attempt.state,
    amount: { minor: attempt.amountMinor, currency: 'USD' },
    captureId: attempt.captureId,
    isCompleted: attempt.completedAt !== null,
    isSuperseded: attempt.supersededAt !== null,
    isPaidElsewhere: others.some(({ completedAt }) => completedAt !== null),
    isCaptureTaken: owner !== null && owner.id !== attempt.id,
  };
}

async function move(
  tx: Transaction,
  attempt: Attempt,
  { state, completes, isLate }: Extract<Transition, { kind: 'moved' }>,
  providerEvent: ProviderEvent,
  { now, onPaid, others }: { now: Date; onPaid: OnPaid; others: readonly Attempt[] },
): Promise<SettlementResult> {
  const values = {
    state,
    changedAt: now,
    providerReference: providerEvent.providerReference ?? attempt.providerReference,
    captureId: providerEvent.captureId ?? attempt.captureId,
    reason: providerEvent.reason ?? attempt.reason,
    ...(completes ? { completedAt: now } : {}),
    ...(isDecided(state) ? { askAt: null, checkoutRedirect: null } : {}),
  };
  await changeAttempt(tx, { id: attempt.id, from: attempt.state }, values);
  if (isDecided(state)) await dropAlert(tx, pendingAlert(attempt.id), now);
  const isFreed = attempt.state === 'pending' && isDecided(state) && !completes && !isLate;
  if (state === 'pending' || isFreed) {
    await enqueue(tx, HELD_JOB, { attemptId: attempt.id }, { key: `held:${attempt.id}:${state}` });
  }
  if (completes) {
    await queuePageClosing(tx, others);
    await onPaid(tx, { reference: attempt.reference, attemptId: attempt.id, at: now });
  }
  if (isLate) {
    const kind = attempt.supersededAt ? 'superseded_paid' : 'paid_twice';
    await alert(tx, kind, attempt.id, providerEvent, now);
    await refundLateCapture(tx, attempt.id, now);
  }
  return { kind: 'moved', attempt: { ...attempt, ...values } };
}

async function alert(
  tx: Transaction,
  kind: Mismatch | 'unknown_reference' | 'paid_twice' | 'superseded_paid',
  attemptId: string | null,
  providerEvent: ProviderEvent,
  now: Date,
) {
  await raiseAlert(tx, {
    id: randomUUID(),
    kind,
    attemptId,
    detail: { eventId: providerEvent.eventId, ...providerEvent.payload },
    raisedAt: now,
  });
}
