import { randomUUID } from 'node:crypto';
import { sameMoney, type Money } from '~/base/money.ts';
import type { Transaction } from '~/platform/database.server.ts';
import { enqueue } from '~/platform/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { advance, isDecided, isPaid, type PaymentEvent } from './machine.ts';
import type { Evidence, ProviderName } from './provider.ts';
import {
  attemptById,
  attemptsFor,
  changeAttempt,
  insertEvent,
  lockReference,
  raiseAlert,
  setEventResult,
  type Attempt,
} from './store.server.ts';

/** What a payment sets off, in the same transaction. `order` provides it; payment knows only the reference. */
export type OnPaid = (
  tx: Transaction,
  paid: { reference: string; attemptId: string; at: Date },
) => Promise<void>;

/**
 * What became of a statement. `unknown_reference` and `wrong_amount` changed nothing but were kept and raised an
 * alert; the provider must not be told that all is well with them.
 */
export type Settled =
  | { kind: 'moved' | 'ignored' | 'refused' | 'duplicate'; attempt: Attempt }
  | { kind: 'wrong_amount'; attempt: Attempt }
  | { kind: 'unknown_reference' };

/**
 * Applies one verified statement: inbox, state, paid order and what follows commit together or not at all.
 * Deliveries may be doubled and in any order; the end is the same.
 */
export async function settle(
  platform: Platform,
  provider: ProviderName,
  evidence: Evidence,
  onPaid: OnPaid,
): Promise<Settled> {
  const known = await attemptById(platform.db, evidence.attemptId);
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    const eventRow = randomUUID();
    const kept = { id: eventRow, receivedAt: now };
    if (!known || known.provider !== provider) {
      const first = await insertEvent(tx, provider, evidence, {
        ...kept,
        attemptId: null,
        result: 'unknown_reference',
      });
      if (first) await alert(tx, 'unknown_reference', null, evidence, now);
      return { kind: 'unknown_reference' };
    }

    await lockReference(tx, known.reference);
    const attempt = (await attemptById(tx, known.id)) ?? known;
    const first = await insertEvent(tx, provider, evidence, {
      ...kept,
      attemptId: attempt.id,
      result: 'received',
    });
    if (!first) return { kind: 'duplicate', attempt };

    const amount: Money = { minor: attempt.amountMinor, currency: 'USD' };
    if (movesMoney(evidence.event) && (!evidence.amount || !sameMoney(evidence.amount, amount))) {
      await setEventResult(tx, eventRow, 'wrong_amount');
      await alert(tx, 'wrong_amount', attempt.id, evidence, now);
      return { kind: 'wrong_amount', attempt };
    }

    const paidElsewhere = (await attemptsFor(tx, attempt.reference)).some(
      (other) => other.id !== attempt.id && other.completedAt !== null,
    );
    const event: PaymentEvent =
      evidence.event === 'capture' && paidElsewhere ? 'capture_again' : evidence.event;
    const result = await move(tx, platform, attempt, event, evidence, paidElsewhere, onPaid);
    await setEventResult(tx, eventRow, result.kind);
    return result;
  });
}

const movesMoney = (event: PaymentEvent) => event === 'capture' || event === 'authorise';

async function move(
  tx: Transaction,
  platform: Platform,
  attempt: Attempt,
  event: PaymentEvent,
  evidence: Evidence,
  paidElsewhere: boolean,
  onPaid: OnPaid,
): Promise<Settled> {
  const step = advance(attempt.state, event);
  if (step.kind !== 'moved') return { kind: step.kind, attempt };
  const now = platform.now();
  // A capture that arrives after the attempt had ended pays an order that is still unpaid.
  const adopted = step.to === 'captured_late' && !paidElsewhere ? advance(step.to, 'adopt') : step;
  const state = adopted.kind === 'moved' ? adopted.to : step.to;
  const completes = isPaid(state) && attempt.completedAt === null;
  const values = {
    state,
    changedAt: now,
    providerReference: evidence.providerReference ?? attempt.providerReference,
    captureId: evidence.captureId ?? attempt.captureId,
    reason: evidence.reason ?? attempt.reason,
    ...(completes ? { completedAt: now } : {}),
    ...(isDecided(state) ? { askAt: null, handover: null } : {}),
  };
  await changeAttempt(tx, { id: attempt.id, from: attempt.state }, values);
  if (completes) {
    await onPaid(tx, { reference: attempt.reference, attemptId: attempt.id, at: now });
  }
  if (state === 'captured_late') {
    await alert(tx, 'paid_twice', attempt.id, evidence, now);
    await enqueue(tx, 'payment.refund_late', { attemptId: attempt.id }, { key: `refund:${attempt.id}` });
  }
  return { kind: 'moved', attempt: { ...attempt, ...values } };
}

async function alert(
  tx: Transaction,
  kind: 'wrong_amount' | 'unknown_reference' | 'paid_twice',
  attemptId: string | null,
  evidence: Evidence,
  now: Date,
) {
  await raiseAlert(tx, {
    id: randomUUID(),
    kind,
    attemptId,
    detail: { eventId: evidence.eventId, ...evidence.payload },
    raisedAt: now,
  });
}
