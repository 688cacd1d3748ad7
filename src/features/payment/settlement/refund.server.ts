import { randomUUID } from 'node:crypto';
import { usd } from '~/base/money.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { advanceAttempt } from '../machine.ts';
import {
  type RefundMade,
  type RefundState,
  type RefundToMake,
  providerNamed,
  type Providers,
} from '../provider.ts';
import { isMoving, refundMachine, type RefundEvent } from '../refund-machine.ts';
import { lockedRefund } from './refund-request.server.ts';
import { changeRefund, claimCapture, refundById, type Refund } from './refund-store.server.ts';
import { attemptById, changeAttempt, raiseAlert, type Attempt } from './store.server.ts';

/** What a completed refund causes, in the same transaction. `order` provides it; payment only knows the reference. */
export type OnRefunded = (
  tx: Transaction,
  refunded: { reference: string; refundId: string; attemptId: string; at: Date },
) => Promise<void>;

export type RefundContext = { providers: Providers; onRefunded: OnRefunded };

/**
 * Advances one refund: sends it, or asks for its state where the provider has it already. Safe to repeat: the refund's
 * id is the provider's idempotency key.
 * @throws Error when the provider did not answer, so that the job is retried.
 */
export async function advanceRefund(
  platform: Platform,
  payments: RefundContext,
  refundId: string,
): Promise<void> {
  const refund = await refundById(platform.db, refundId);
  if (!refund || !isMoving(refund.state)) return;
  const attempt = await attemptById(platform.db, refund.attemptId);
  if (!attempt?.captureId) throw new Error('A refund without a capture');
  const provider = providerNamed(payments.providers, attempt.provider);
  if (!provider) throw new Error(`No provider ${attempt.provider} is configured`);
  const { id, providerReference, captureId } = attempt;
  const toMake: RefundToMake = {
    refundId,
    attempt: { id, providerReference, captureId },
    amount: usd(refund.amountMinor),
  };

  if (refund.state === 'pending') {
    const { providerRefundId } = refund;
    const stands = await provider.askRefund({ ...toMake, providerRefundId });
    if (stands === 'no_answer') return lookLater(platform, refund);
    // Sent again under the same id where the provider does not know it.
    if (stands !== 'unknown') return recordMade(platform, payments, refundId, stands);
  }
  // Undone, or sent by another process, at this moment.
  if (refund.state === 'requested' && !(await markSent(platform, refundId))) return;
  const made = await provider.refund(toMake);
  if (made.ok) return recordMade(platform, payments, refundId, made.value);
  if (made.error.code === 'no_answer') {
    await lookLater(platform, refund);
    throw new Error('Refund: no answer from the provider');
  }
  await record(platform, payments, refundId, { event: 'fail', failure: made.error.message });
}

const events: Record<RefundState, RefundEvent> = {
  pending: 'wait',
  completed: 'complete',
  failed: 'fail',
};

const recordMade = (
  platform: Platform,
  payments: RefundContext,
  refundId: string,
  made: RefundMade,
) =>
  record(platform, payments, refundId, {
    event: events[made.state],
    providerRefundId: made.providerRefundId,
  });

/** Stored before the call: from now on only the provider decides. */
async function markSent(platform: Platform, refundId: string): Promise<boolean> {
  const now = platform.now();
  return platform.db.transaction((tx) =>
    changeRefund(
      tx,
      { id: refundId, from: 'requested' },
      { state: 'sent', sentAt: now, changedAt: now },
    ),
  );
}

/** At twice its age: after 2 minutes, 4, 8, …, at most an hour later. */
async function lookLater(platform: Platform, refund: Refund): Promise<void> {
  const now = platform.now();
  const current = await refundById(platform.db, refund.id);
  if (!current || !isMoving(current.state)) return;
  await platform.db.transaction((tx) =>
    changeRefund(tx, { id: refund.id, from: current.state }, { askAt: nextLook(refund, now) }),
  );
}

function nextLook({ requestedAt, releasedAt }: Refund, now: Date): Date {
  const age = now.getTime() - (releasedAt ?? requestedAt).getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, 60_000), 3600_000));
}

type RefundWord = {
  event: RefundEvent;
  providerRefundId?: string | undefined;
  failure?: string | undefined;
};

async function record(
  platform: Platform,
  payments: RefundContext,
  refundId: string,
  word: RefundWord,
): Promise<void> {
  await platform.db.transaction((tx) =>
    settleRefundEvent(tx, payments, { refundId, at: platform.now() }, word),
  );
}

/**
 * Applies a provider's event about one refund: ledger, attempt and consequences commit together. A repetition or an
 * overtaken event changes nothing; a failure after the completion raises an alert.
 */
export async function settleRefundEvent(
  tx: Transaction,
  { onRefunded }: Pick<RefundContext, 'onRefunded'>,
  { refundId, at }: { refundId: string; at: Date },
  { event, providerRefundId, failure }: RefundWord,
): Promise<'moved' | 'ignored'> {
  const refund = await lockedRefund(tx, refundId);
  const attempt = refund && (await attemptById(tx, refund.attemptId));
  if (!refund || !attempt) throw new Error('There is no such refund');
  const to = refundMachine.next(refund.state, event);
  if (!to) {
    if (event === 'fail' && refund.state === 'completed')
      await alertFailed(tx, refund, failure, at);
    if (event === 'wait' && refund.state === 'pending') {
      await changeRefund(tx, { id: refundId, from: 'pending' }, { askAt: nextLook(refund, at) });
    }
    return 'ignored';
  }
  await changeRefund(
    tx,
    { id: refundId, from: refund.state },
    {
      state: to,
      providerRefundId: providerRefundId ?? refund.providerRefundId,
      sentAt: refund.sentAt ?? at,
      changedAt: at,
      ...(isMoving(to) ? { askAt: nextLook(refund, at) } : { askAt: null, decidedAt: at }),
      ...(to === 'failed' ? { failure: failure ?? 'failed' } : {}),
    },
  );
  if (to === 'completed') {
    await addToRefunded(tx, attempt, refund, at);
    await onRefunded(tx, { reference: attempt.reference, refundId, attemptId: attempt.id, at });
  }
  if (to === 'failed') {
    await claimCapture(tx, attempt.id, -refund.amountMinor);
    await alertFailed(tx, refund, failure, at);
  }
  return 'moved';
}

/** Adds a completed refund to what the attempt has refunded, and moves its state. */
async function addToRefunded(tx: Transaction, attempt: Attempt, refund: Refund, at: Date) {
  const refundedMinor = attempt.refundedMinor + refund.amountMinor;
  const isAll = refundedMinor === attempt.amountMinor;
  const step = advanceAttempt(attempt.state, isAll ? 'refund_rest' : 'refund_part');
  if (step.kind === 'refused') throw new Error(`A refund while ${attempt.state}`);
  const state = step.kind === 'moved' ? step.to : attempt.state;
  const values = { state, refundedMinor, changedAt: at };
  if (!(await changeAttempt(tx, { id: attempt.id, from: attempt.state }, values))) {
    throw new Error('The attempt changed under its lock');
  }
}

async function alertFailed(
  tx: Transaction,
  refund: Refund,
  failure: string | undefined,
  raisedAt: Date,
): Promise<void> {
  await raiseAlert(tx, {
    id: randomUUID(),
    kind: 'refund_failed',
    attemptId: refund.attemptId,
    detail: {
      refundId: refund.id,
      amountMinor: refund.amountMinor,
      message: failure ?? null,
    },
    raisedAt,
  });
}
