import {
  type PaymentState,
  isOpen,
  advanceAttempt,
  mayRefund,
  paymentStates,
  nextTransition,
} from '../../machine.ts';
import type { ProviderEvent } from '../../provider.ts';
import { expect } from 'vitest';
import { PRICE, type HistoryPartner } from './partner.ts';
import { usd } from '~/base/money.ts';
import { awaitedReason } from '../../awaited.ts';
import {
  isMoving,
  refundMachine,
  type RefundProgress,
  refundStates,
} from '../../refund-machine.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Order } from '~/features/order/store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { TestPlatform } from '../../../../../test/platform.ts';
import { beginPayment } from '../../settlement/begin.server.ts';
import type { Payments } from '../../settlement/context.server.ts';
import { requestRefund } from '../../settlement/refund-request.server.ts';
import { refundsByAttempts } from '../../settlement/refund-store.server.ts';
import { advanceRefund } from '../../settlement/refund.server.ts';
import { settle } from '../../settlement/settle.server.ts';
import { attemptsByReference } from '../../settlement/store.server.ts';
import { sweep, sweepRefunds } from '../../settlement/sweep.server.ts';
import { somePayer } from '../../../../../test/browser.ts';

type SeenAttempt = {
  id: string;
  state: PaymentState;
  captureId: string | null;
  isCompleted: boolean;
  refundedMinor: number;
  claimedMinor: number;
};

/** The state of one order that invariants refer to. */
type SystemView = {
  attempts: SeenAttempt[];
  /** The attempt that paid the order. */
  paidBy: string | null;
  /** The inbox: every event id with its result. */
  inbox: { eventId: string; attemptId: string | null; result: string }[];
  movingRefunds: number;
  failedRefunds: number;
};

/** What runs a history: the pure rules, or the real functions on a database. One order each. */
export type System = {
  /** Presses Pay. */
  start(): Promise<void>;
  /** Settles one event; returns its result. */
  deliver(word: ProviderEvent): Promise<string>;
  /** Advances the clock, then runs the sweep. */
  wait(minutes: number): Promise<void>;
  /** Asks for a refund of part of the attempt's capture, in cents; returns false where that is refused. */
  refund(attemptId: string, minor: number): Promise<boolean>;
  /** Runs the jobs that send refunds. */
  sendRefunds(): Promise<void>;
  look(): Promise<SystemView>;
};

/** What must hold after every step: the six invariants of a purchase, for one order. */
export function expectInvariants(sight: SystemView, partner: HistoryPartner): void {
  const completed = sight.attempts.filter(({ isCompleted }) => isCompleted);
  const captureIds = sight.attempts.flatMap(({ captureId }) => captureId ?? []);
  // 1. One capture, one completed attempt, one paid order.
  expect(completed.length).toBeLessThanOrEqual(1);
  expect(sight.paidBy).toBe(completed[0]?.id ?? null);
  expect(new Set(captureIds).size).toBe(captureIds.length);
  for (const attempt of sight.attempts) {
    const truth = partner.payments.get(attempt.id);
    const { captured, refunded } = partner.money(attempt.id);
    // 2. Nothing is paid without a provider's event about money that was captured.
    const saysPaid = ['completed', 'partially_refunded', 'refunded', 'captured_late'];
    if (saysPaid.includes(attempt.state)) {
      expect(truth?.captureId).not.toBeNull();
      expect(attempt.captureId).toBe(truth?.captureId);
    } else expect(attempt.isCompleted).toBe(false);
    // 3. Refunds, pending ones included, never exceed the capture, here or at the provider.
    expect(attempt.refundedMinor).toBeLessThanOrEqual(attempt.claimedMinor);
    expect(attempt.claimedMinor).toBeLessThanOrEqual(PRICE);
    expect(refunded).toBeLessThanOrEqual(captured);
    expect(refunded).toBeLessThanOrEqual(attempt.claimedMinor);
    expect(attempt.refundedMinor).toBeLessThanOrEqual(refunded);
  }
  // 4. and 6. The inbox holds every event once, those that matched nothing included.
  const events = sight.inbox.map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(events.length);
  for (const { attemptId, result } of sight.inbox) {
    expect(attemptId === null).toBe(result === 'unknown_reference');
    expect(result).not.toBe('received');
  }
}

/** What must hold at the end, after all events and waiting. */
export function expectEnd(sight: SystemView, partner: HistoryPartner): void {
  // 5. Nothing is left undecided, and a missing answer was never taken for a result.
  expect(sight.attempts.filter(({ state }) => isOpen(state))).toEqual([]);
  expect(sight.movingRefunds).toBe(0);
  const captured = [...partner.payments].filter(([, { captureId }]) => captureId);
  expect(sight.paidBy !== null).toBe(captured.length > 0);
  for (const [id] of captured) {
    const attempt = sight.attempts.find((seen) => seen.id === id);
    const { refunded } = partner.money(id);
    expect(attempt?.refundedMinor).toBe(refunded);
    if (id === sight.paidBy) continue;
    // More was captured than the order's price: refunded, unless the provider refused and staff were alerted.
    if (refunded !== PRICE) expect(sight.failedRefunds).toBeGreaterThan(0);
  }
}

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
export function pureSystem({ provider }: HistoryPartner): System {
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
    const transition = nextTransition(
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
    const step = advanceAttempt(
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
      const step = advanceAttempt(attempt.state, begun.ok ? 'redirect' : 'decline');
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
        const step =
          isDead && isOpen(attempt.state) ? advanceAttempt(attempt.state, 'expire') : null;
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

/** A condition that always holds: the amount is always due. */
const ALWAYS = { query: sql`select 1`, values: {} };

/** The real functions on the database, for one order. Events that matched nothing are recorded by the test. */
export function storedSystem(
  platform: TestPlatform,
  { onPaid, onRefunded }: Payments,
  order: Order,
  { provider }: HistoryPartner,
): System {
  const { db } = platform;
  const payments: Payments = { providers: [provider], onPaid, onRefunded };
  const unplaced = new Map<string, { eventId: string; attemptId: null; result: string }>();
  /** Cached until the next change. */
  let seen: SystemView | null = null;

  return {
    async start() {
      seen = null;
      await beginPayment(platform, provider, {
        reference: order.number,
        amount: usd(PRICE),
        description: order.number,
        language: 'en',
        returnLanguage: null,
        customer: { name: 'S', email: 's@example.org', address: '192.0.2.1' },
        by: somePayer,
        due: ALWAYS,
      });
    },
    async deliver(word) {
      seen = null;
      const { kind } = await settle(platform, provider.name, word, onPaid);
      const { eventId } = word;
      if (kind === 'unknown_reference') {
        unplaced.set(eventId, { eventId, attemptId: null, result: kind });
      }
      return kind;
    },
    async wait(minutes) {
      seen = null;
      platform.clock.advance(minutes * 60_000);
      await sweep(platform, payments.providers, onPaid);
      await sweepRefunds(platform, payments);
    },
    async refund(attemptId, minor) {
      seen = null;
      const outcome = await db.transaction((tx) =>
        requestRefund(tx, {
          attemptId,
          amount: usd(minor),
          reason: 'cancelled',
          requestedBy: 'system',
          at: platform.now(),
        }),
      );
      return outcome.ok;
    },
    async sendRefunds() {
      seen = null;
      const attempts = await attemptsByReference(db, order.number);
      const ids = attempts.map(({ id }) => id);
      for (const { id, state } of await refundsByAttempts(db, ids)) {
        // A refund without an answer is retried at the next step, as its job would be.
        if (isMoving(state)) await advanceRefund(platform, payments, id).catch(() => undefined);
      }
    },
    look: async () => (seen ??= await look(db, order.number, [...unplaced.values()])),
  };
}

const seenAttempt = z.object({
  id: z.string(),
  state: z.enum(paymentStates),
  captureId: z.string().nullable(),
  isCompleted: z.boolean(),
  refundedMinor: z.number(),
  claimedMinor: z.number(),
});

const row = z.object({
  paidBy: z.string().nullable(),
  attempts: z.array(seenAttempt).nullable(),
  inbox: z
    .array(z.object({ eventId: z.string(), attemptId: z.string(), result: z.string() }))
    .nullable(),
  refunds: z.array(z.object({ state: z.enum(refundStates) })).nullable(),
});

/** One statement, because it runs after every step. */
async function look(
  db: Database,
  number: string,
  unplaced: SystemView['inbox'],
): Promise<SystemView> {
  const { rows } = await db.execute(sql`
    with a as (select * from payment_attempt where reference = ${number} order by created_at, id)
    select (select paid_by from purchase_order where number = ${number}) as "paidBy",
      (select json_agg(json_build_object('id', id, 'state', state, 'captureId', capture_id,
         'isCompleted', completed_at is not null, 'refundedMinor', refunded_minor,
         'claimedMinor', claimed_minor)) from a) as attempts,
      (select json_agg(json_build_object('eventId', event_id, 'attemptId', attempt_id, 'result', result)
         order by received_at, event_id) from payment_event where attempt_id in (select id from a)) as inbox,
      (select json_agg(json_build_object('state', state))
         from payment_refund where attempt_id in (select id from a)) as refunds`);
  const { paidBy, attempts, inbox, refunds } = row.parse(rows[0]);
  return {
    attempts: attempts ?? [],
    paidBy,
    inbox: [...(inbox ?? []), ...unplaced],
    movingRefunds: (refunds ?? []).filter(({ state }) => isMoving(state)).length,
    failedRefunds: (refunds ?? []).filter(({ state }) => state === 'failed').length,
  };
}
