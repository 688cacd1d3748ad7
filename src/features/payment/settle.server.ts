import { randomUUID } from 'node:crypto';
import { sameMoney, type Money } from '~/base/money.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { advance, isDecided, isPaid, type PaymentEvent } from './machine.ts';
import type { Evidence, ProviderName } from './provider.ts';
import { returnLate } from './refund-late.server.ts';
import {
  attemptById,
  attemptOfCapture,
  attemptsFor,
  changeAttempt,
  eventResult,
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

/** Why a genuine statement must not be believed as it stands. */
export type Mismatch = 'wrong_amount' | 'capture_reused';

/**
 * What became of a statement. A mismatch or an `unknown_reference` changed nothing but was kept and raised an alert;
 * the provider must not be told that all is well with it, however often it says so.
 */
export type Settled =
  | { kind: 'moved' | 'ignored' | 'refused' | 'duplicate'; attempt: Attempt }
  | { kind: Mismatch; attempt: Attempt }
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
    if (!first) {
      const before = await eventResult(tx, provider, evidence.eventId);
      return { kind: isMismatch(before) ? before : 'duplicate', attempt };
    }

    const mismatch = await mismatchOf(tx, attempt, evidence);
    if (mismatch) {
      await setEventResult(tx, eventRow, mismatch);
      await alert(tx, mismatch, attempt.id, evidence, now);
      return { kind: mismatch, attempt };
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

const isMismatch = (result: string | null): result is Mismatch =>
  result === 'wrong_amount' || result === 'capture_reused';

async function mismatchOf(
  tx: Transaction,
  attempt: Attempt,
  { event, amount, captureId }: Evidence,
): Promise<Mismatch | null> {
  if (!movesMoney(event)) return null;
  const expected: Money = { minor: attempt.amountMinor, currency: 'USD' };
  if (!amount || !sameMoney(amount, expected)) return 'wrong_amount';
  // One capture is one attempt: money that has paid one order cannot pay another.
  const owner = captureId ? await attemptOfCapture(tx, attempt.provider, captureId) : null;
  return owner && owner.id !== attempt.id ? 'capture_reused' : null;
}

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
    await returnLate(tx, attempt.id, now);
  }
  return { kind: 'moved', attempt: { ...attempt, ...values } };
}

async function alert(
  tx: Transaction,
  kind: Mismatch | 'unknown_reference' | 'paid_twice',
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
