import { usd } from '~/base/money.ts';
import { awaitedReason } from '../../awaited.ts';
import { advance, isOpen, mayRefund, type PaymentState } from '../../machine.ts';
import type { ProviderEvent } from '../../provider.ts';
import { isMoving, refundMachine, type RefundProgress } from '../../refund-machine.ts';
import { transitionOf } from '../../transition.ts';
import { PRICE, type Partner } from './partner.ts';
import type { System } from './system.ts';

type Kept = {
  id: string;
  state: PaymentState;
  captureId: string | null;
  isCompleted: boolean;
  refundedMinor: number;
  claimedMinor: number;
  age: number;
};
type KeptRefund = { id: string; attemptId: string; minor: number; state: RefundProgress };

const UNMARKED = { supersededAt: null, cameBackAt: null };
const events = { pending: 'wait', completed: 'complete', failed: 'fail' } as const;

/** The pure rules on lists in place of tables: machine, transition and refund machine are the real ones. */
export function pureSystem({ provider }: Partner): System {
  const attempts: Kept[] = [];
  const refunds: KeptRefund[] = [];
  const inbox = new Map<string, { attemptId: string | null; result: string }>();
  let count = 0;

  const claim = (attempt: Kept, minor: number): string | null => {
    if (!mayRefund(attempt.state) || minor > PRICE - attempt.claimedMinor) return null;
    if (attempt.state === 'captured_late' && minor !== PRICE) return null;
    attempt.claimedMinor += minor;
    const id = `R-${(count += 1)}`;
    refunds.push({ id, attemptId: attempt.id, minor, state: 'requested' });
    return id;
  };

  const settle = (word: ProviderEvent): string => {
    const attempt = attempts.find(({ id }) => id === word.attemptId);
    if (!attempt) {
      inbox.set(word.eventId, { attemptId: null, result: 'unknown_reference' });
      return 'unknown_reference';
    }
    const before = inbox.get(word.eventId);
    if (before?.attemptId) {
      const isMismatch = before.result === 'wrong_amount' || before.result === 'capture_reused';
      return isMismatch ? before.result : 'duplicate';
    }
    const others = attempts.filter(({ id }) => id !== attempt.id);
    const transition = transitionOf(
      {
        ...attempt,
        amount: usd(PRICE),
        isSuperseded: false,
        isPaidElsewhere: others.some(({ isCompleted }) => isCompleted),
        isCaptureTaken: others.some(
          ({ captureId }) => captureId !== null && captureId === word.captureId,
        ),
      },
      word,
    );
    inbox.set(word.eventId, { attemptId: attempt.id, result: transition.kind });
    if (transition.kind !== 'moved') return transition.kind;
    attempt.state = transition.state;
    attempt.captureId = word.captureId ?? attempt.captureId;
    if (transition.completes) attempt.isCompleted = true;
    if (transition.isLate) claim(attempt, PRICE);
    return 'moved';
  };

  const bringFurther = async (refund: KeptRefund): Promise<void> => {
    const attempt = attempts.find(({ id }) => id === refund.attemptId);
    if (!attempt?.captureId) throw new Error('A refund without a capture');
    const toMake = {
      refundId: refund.id,
      attempt: { id: attempt.id, providerReference: null, captureId: attempt.captureId },
      amount: usd(refund.minor),
    };
    const asked =
      refund.state === 'pending'
        ? await provider.askRefund({ ...toMake, providerRefundId: null })
        : 'unknown';
    if (asked === 'no_answer') return;
    refund.state = refundMachine.next(refund.state, 'send') ?? refund.state;
    const made =
      asked === 'unknown' ? await provider.refund(toMake) : { ok: true as const, value: asked };
    if (!made.ok && made.error.code === 'no_answer') return;
    const to = refundMachine.next(refund.state, made.ok ? events[made.value.state] : 'fail');
    if (!to) return;
    refund.state = to;
    if (to === 'failed') attempt.claimedMinor -= refund.minor;
    if (to !== 'completed') return;
    attempt.refundedMinor += refund.minor;
    const step = advance(
      attempt.state,
      attempt.refundedMinor === PRICE ? 'refund_rest' : 'refund_part',
    );
    if (step.kind === 'refused') throw new Error(`A refund while ${attempt.state}`);
    if (step.kind === 'moved') attempt.state = step.to;
  };

  const moving = () => refunds.filter(({ state }) => isMoving(state));
  const sendRefunds = async () => {
    for (const refund of moving()) await bringFurther(refund);
  };

  return {
    async start() {
      if (attempts.some(({ isCompleted }) => isCompleted)) return;
      if (attempts.some(({ state }) => awaitedReason({ ...UNMARKED, state }))) return;
      const id = `A-${(count += 1)}`;
      const attempt: Kept = {
        id,
        state: 'created',
        captureId: null,
        isCompleted: false,
        refundedMinor: 0,
        claimedMinor: 0,
        age: 0,
      };
      attempts.push(attempt);
      const begun = await provider.begin({
        id,
        reference: '',
        amount: usd(PRICE),
        description: '',
        language: 'en',
        returnUrl: '',
        cancelUrl: '',
        customer: { name: '', email: '', address: '' },
      });
      if (!begun.ok && begun.error.code === 'no_answer') return;
      const step = advance(attempt.state, begun.ok ? 'redirect' : 'decline');
      if (step.kind === 'moved') attempt.state = step.to;
    },
    deliver: async (word) => settle(word),
    async wait(minutes) {
      for (const attempt of attempts) attempt.age += minutes;
      for (const attempt of attempts.filter(({ state }) => isOpen(state))) {
        const answer = await provider.ask(
          { id: attempt.id, providerReference: null },
          { mayCapture: true },
        );
        if (typeof answer === 'object') settle(answer);
        const isDead =
          (answer === 'unknown' && attempt.age > 60) ||
          (answer === 'nothing' && attempt.age > 24 * 60);
        const step = isDead && isOpen(attempt.state) ? advance(attempt.state, 'expire') : null;
        if (step?.kind === 'moved') attempt.state = step.to;
      }
      await sendRefunds();
    },
    async refund(attemptId, minor) {
      const attempt = attempts.find(({ id }) => id === attemptId);
      return attempt !== undefined && claim(attempt, minor) !== null;
    },
    sendRefunds,
    look: async () => ({
      attempts: attempts.map(({ age: _, ...seen }) => ({ ...seen })),
      paidBy: attempts.find(({ isCompleted }) => isCompleted)?.id ?? null,
      inbox: [...inbox].map(([eventId, { attemptId, result }]) => ({ eventId, attemptId, result })),
      movingRefunds: moving().length,
      failedRefunds: refunds.filter(({ state }) => state === 'failed').length,
    }),
  };
}
