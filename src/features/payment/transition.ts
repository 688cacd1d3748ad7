import { sameMoney, type Money } from '~/base/money.ts';
import { advanceAttempt, isPaid, type PaymentEvent, type PaymentState } from './machine.ts';

/** Why a genuine event must not be applied. */
export type Mismatch = 'wrong_amount' | 'capture_reused';

/** The state of an attempt when an event about it arrives. */
export type AttemptSnapshot = {
  state: PaymentState;
  amount: Money;
  captureId: string | null;
  /** Its capture pays, or once paid, its order. */
  isCompleted: boolean;
  /** Another attempt for the same order is completed. */
  isPaidElsewhere: boolean;
  /** Another amount is due by now. */
  isSuperseded: boolean;
  /** Another attempt has the capture that the event names. */
  isCaptureTaken: boolean;
};

export type VerifiedEvent = { event: PaymentEvent; amount: Money | null; captureId: string | null };

/**
 * `completes`: the order is paid by this. `isLate`: the money must be refunded. `isSecondCapture`: the provider
 * captured twice for one attempt, which staff must look at.
 */
export type Transition =
  | { kind: Mismatch }
  | { kind: 'ignored' | 'refused'; isSecondCapture: boolean }
  | { kind: 'moved'; state: PaymentState; completes: boolean; isLate: boolean };

/** What a verified event means for an attempt: the rules of settlement, without the database. */
export function nextTransition(attempt: AttemptSnapshot, verified: VerifiedEvent): Transition {
  const mismatch = mismatchOf(attempt, verified);
  if (mismatch) return { kind: mismatch };
  // Its capture cannot pay the order: another one has, or the order has another amount now.
  const paysNothing = attempt.isPaidElsewhere || (attempt.isSuperseded && !attempt.isCompleted);
  const event = verified.event === 'capture' && paysNothing ? 'capture_again' : verified.event;
  const step = advanceAttempt(attempt.state, event);
  if (step.kind !== 'moved') {
    const { captureId } = verified;
    const isOther = captureId !== null && attempt.captureId !== null;
    const isSecondCapture =
      verified.event === 'capture' && isOther && captureId !== attempt.captureId;
    return { kind: step.kind, isSecondCapture };
  }
  // A capture after the attempt had ended pays an order that is still unpaid.
  const adopted =
    step.to === 'captured_late' && !paysNothing ? advanceAttempt(step.to, 'adopt') : step;
  const state = adopted.kind === 'moved' ? adopted.to : step.to;
  return {
    kind: 'moved',
    state,
    completes: isPaid(state) && !attempt.isCompleted,
    isLate: state === 'captured_late',
  };
}

const movesMoney = (event: PaymentEvent) => event === 'capture' || event === 'authorise';

function mismatchOf(attempt: AttemptSnapshot, { event, amount }: VerifiedEvent): Mismatch | null {
  if (!movesMoney(event)) return null;
  if (!amount || !sameMoney(amount, attempt.amount)) return 'wrong_amount';
  // One capture belongs to one attempt: money that has paid one order cannot pay another.
  return attempt.isCaptureTaken ? 'capture_reused' : null;
}
