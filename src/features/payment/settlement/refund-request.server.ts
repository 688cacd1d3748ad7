import { randomUUID } from 'node:crypto';
import type { Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { mayRefund } from '../machine.ts';
import { refundMachine } from '../refund-machine.ts';
import { changeRefund, claimCapture, refundById, type Refund } from './refund-store.server.ts';
import { attemptById, lockReference } from './store.server.ts';
import { paymentRefund } from '../tables.server.ts';

export const REFUND_JOB = 'payment.refund';
/** Milliseconds after which the sweep first looks at a refund whose job did not finish. */
const FIRST_LOOK_MS = 2 * 60_000;

export type RefundWanted = {
  /** A new one by default. */
  id?: string | undefined;
  attemptId: string;
  amount: Money;
  /** The caller's code for the reason. */
  reason: string;
  /** A staff account's id, `payer` or `system`. */
  requestedBy: string;
  /** Hold it until somebody else releases it. */
  hold?: boolean;
  /** Milliseconds before it is sent, in which `undoRefund` withdraws it. */
  delayMs?: number | undefined;
  at: Date;
};

/** `exceeds`: more than is left of the capture; `availableMinor`: what is left, in cents. */
export type RequestError = { code: 'not_refundable' } | { code: 'exceeds'; availableMinor: number };

/**
 * Stores a refund of part or all of one capture and, unless it is held, enqueues it in the caller's transaction.
 * Completed and pending refunds never exceed the capture.
 */
export async function requestRefund(
  tx: Transaction,
  {
    id = randomUUID(),
    attemptId,
    amount,
    reason,
    requestedBy,
    hold = false,
    delayMs,
    at,
  }: RefundWanted,
): Promise<Outcome<Refund, RequestError>> {
  const named = await attemptById(tx, attemptId);
  if (!named) return refused({ code: 'not_refundable' });
  await lockReference(tx, named.reference);
  const attempt = (await attemptById(tx, attemptId)) ?? named;
  if (!mayRefund(attempt.state) || attempt.captureId === null) {
    return refused({ code: 'not_refundable' });
  }
  const availableMinor = attempt.amountMinor - attempt.claimedMinor;
  if (amount.minor <= 0 || amount.minor > availableMinor) {
    return refused({ code: 'exceeds', availableMinor });
  }
  // A late capture pays its order completely or is refunded completely.
  if (attempt.state === 'captured_late' && amount.minor !== attempt.amountMinor) {
    return refused({ code: 'not_refundable' });
  }
  await claimCapture(tx, attempt.id, amount.minor);
  const refund = await insertRefund(tx, {
    id,
    attemptId: attempt.id,
    amountMinor: amount.minor,
    currency: amount.currency,
    state: hold ? 'held' : 'requested',
    reason,
    requestedBy,
    requestedAt: at,
    changedAt: at,
    askAt: hold ? null : new Date(at.getTime() + FIRST_LOOK_MS),
  });
  if (!hold) await enqueueRefund(tx, refund.id, delayMs);
  return ok(refund);
}

const enqueueRefund = (tx: Transaction, refundId: string, delayMs?: number): Promise<void> => {
  const key = `refund:${refundId}`;
  return enqueue(tx, REFUND_JOB, { refundId }, delayMs === undefined ? { key } : { key, delayMs });
};

/** `not_held`: it was decided before. `own`: nobody may release their own. */
export type ReleaseError = { code: 'not_held' | 'own' };

/** Releases a held refund. `by` is a staff account's id, not the one that asked. */
export async function releaseRefund(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<Refund, ReleaseError>> {
  const refund = await lockedRefund(tx, refundId);
  const to = refund && refundMachine.next(refund.state, 'release');
  if (!refund || !to) return refused({ code: 'not_held' });
  if (refund.requestedBy === by) return refused({ code: 'own' });
  const values = {
    state: to,
    releasedBy: by,
    releasedAt: at,
    changedAt: at,
    askAt: new Date(at.getTime() + FIRST_LOOK_MS),
  };
  if (!(await changeRefund(tx, { id: refundId, from: refund.state }, values))) {
    return refused({ code: 'not_held' });
  }
  await enqueueRefund(tx, refundId);
  return ok({ ...refund, ...values });
}

/** Withdraws a held refund: by the person who asked for it, or one who could release it. Its claim ends. */
export async function withdrawRefund(
  tx: Transaction,
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Outcome<Refund, { code: 'not_held' }>> {
  const refund = await withdrawn(tx, 'withdraw', { refundId, by, at });
  return refund ? ok(refund) : refused({ code: 'not_held' });
}

/**
 * Withdraws a refund that nobody has begun to send, with the decision that asked for it; false where it was sent. `by`: a
 * staff account's id.
 */
export async function undoRefund(
  tx: Transaction,
  asked: { refundId: string; by: string; at: Date },
): Promise<boolean> {
  return (await withdrawn(tx, 'undo', asked)) !== null;
}

async function withdrawn(
  tx: Transaction,
  event: 'withdraw' | 'undo',
  { refundId, by, at }: { refundId: string; by: string; at: Date },
): Promise<Refund | null> {
  const refund = await lockedRefund(tx, refundId);
  const to = refund && refundMachine.next(refund.state, event);
  if (!refund || !to) return null;
  const values = { state: to, releasedBy: by, decidedAt: at, changedAt: at, askAt: null };
  if (!(await changeRefund(tx, { id: refundId, from: refund.state }, values))) return null;
  await claimCapture(tx, refund.attemptId, -refund.amountMinor);
  return { ...refund, ...values };
}

/** A refund, with the attempts of its reference locked. */
export async function lockedRefund(tx: Transaction, refundId: string): Promise<Refund | null> {
  const refund = await refundById(tx, refundId);
  const attempt = refund && (await attemptById(tx, refund.attemptId));
  if (!attempt) return null;
  await lockReference(tx, attempt.reference);
  return refundById(tx, refundId);
}

async function insertRefund(
  tx: Transaction,
  row: typeof paymentRefund.$inferInsert,
): Promise<Refund> {
  const [stored] = await tx.insert(paymentRefund).values(row).returning();
  if (!stored) throw new Error('The refund was not stored');
  return stored;
}
