import { defineMachine } from '~/base/machine.ts';
import { sameMoney, type Money } from '~/base/money.ts';

/** The states of one payment attempt. `captured_late`: captured after the attempt had ended. */
export const paymentStates = [
  'created',
  'redirected',
  'pending',
  'authorised',
  'completed',
  'failed',
  'cancelled',
  'expired',
  'captured_late',
  'partially_refunded',
  'refunded',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/**
 * `redirect`, `expire` and `adopt` are ours, the others reported by a provider. `hold`: accepted, not decided yet.
 * `capture_again`: a capture for an order that another attempt's capture has paid. `adopt`: a late capture pays its
 * unpaid order. `refund_part`, `refund_rest`: some or all of it was refunded.
 */
export const paymentEvents = [
  'redirect',
  'hold',
  'authorise',
  'capture',
  'capture_again',
  'decline',
  'cancel',
  'expire',
  'adopt',
  'refund_part',
  'refund_rest',
] as const;
export type PaymentEvent = (typeof paymentEvents)[number];

const endings = { decline: 'failed', cancel: 'cancelled', expire: 'expired' } as const;
const captures = { capture: 'completed', capture_again: 'captured_late' } as const;
const lateCaptures = { capture: 'captured_late', capture_again: 'captured_late' } as const;

/**
 * Events arrive in any order: a capture may be the first. States only rise, in the order created, redirected, pending,
 * authorised, expired, cancelled, failed, captured: of two endings the higher one stays, whichever came first (a
 * provider's decline above a traveller's cancel above our expiry).
 */
export const paymentMachine = defineMachine(paymentStates, paymentEvents, {
  created: {
    redirect: 'redirected',
    hold: 'pending',
    authorise: 'authorised',
    ...captures,
    ...endings,
  },
  redirected: { hold: 'pending', authorise: 'authorised', ...captures, ...endings },
  pending: { authorise: 'authorised', ...captures, ...endings },
  authorised: { ...captures, ...endings },
  expired: { cancel: 'cancelled', decline: 'failed', ...lateCaptures },
  cancelled: { decline: 'failed', ...lateCaptures },
  failed: lateCaptures,
  captured_late: { adopt: 'completed', refund_rest: 'refunded' },
  completed: { refund_part: 'partially_refunded', refund_rest: 'refunded' },
  partially_refunded: { refund_rest: 'refunded' },
  refunded: {},
});

const notBeforeCapture = ['adopt', 'refund_part', 'refund_rest'] as const;

/** Events that contradict a state, so that staff must check: all others that change nothing are merely old. */
const senseless: Readonly<Record<PaymentState, readonly PaymentEvent[]>> = {
  created: notBeforeCapture,
  redirected: notBeforeCapture,
  pending: notBeforeCapture,
  authorised: notBeforeCapture,
  expired: notBeforeCapture,
  cancelled: notBeforeCapture,
  failed: notBeforeCapture,
  // A late capture pays its order completely or is refunded completely.
  captured_late: ['refund_part'],
  completed: [],
  partially_refunded: [],
  // Refunded money cannot pay for anything.
  refunded: ['adopt'],
};

type Advance =
  | { readonly kind: 'moved'; readonly to: PaymentState }
  /** A repetition, or an event overtaken by a later one. Nothing is to be done. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused' };

/**
 * What an event does to an attempt. Another partial refund is `ignored` too: amounts are kept with the refunds, and the
 * state only says that some or all of the capture was refunded.
 */
export function advanceAttempt(state: PaymentState, event: PaymentEvent): Advance {
  const to = paymentMachine.next(state, event);
  if (to !== null) return { kind: 'moved', to };
  return { kind: senseless[state].includes(event) ? 'refused' : 'ignored' };
}

/** Not decided yet: the provider may be asked. */
export const openStates = ['created', 'redirected', 'pending', 'authorised'] as const;

export const isOpen = (state: PaymentState): boolean => openStates.some((open) => open === state);

/** Nothing more is expected of the traveller or the provider. */
export const isDecided = (state: PaymentState): boolean => !isOpen(state);

/** The attempt's capture pays, or paid, its order; a partly refunded one still counts. */
export const isPaid = (state: PaymentState): boolean =>
  state === 'completed' || state === 'partially_refunded';

/** There is captured money that may be refunded. */
export const mayRefund = (state: PaymentState): boolean =>
  isPaid(state) || state === 'captured_late';

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

type VerifiedEvent = { event: PaymentEvent; amount: Money | null; captureId: string | null };

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
