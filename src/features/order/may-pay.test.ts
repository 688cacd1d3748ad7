import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import type { Initiator } from '~/features/payment/initiator.ts';
import {
  isOpen,
  paymentEvents,
  paymentStates,
  type PaymentEvent,
} from '~/features/payment/machine.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { attemptsByReference, storeReturn } from '~/features/payment/settlement/store.server.ts';
import { supersedeAttempts } from '~/features/payment/settlement/supersede.server.ts';
import { sweep } from '~/features/payment/settlement/sweep.server.ts';
import { quietProvider } from '~/features/payment/testing/refunds.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { usd } from '~/base/money.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { checkout } from './checkout.server.ts';
import { isAwaited, payRefusal } from './may-pay.ts';
import { markPaid } from './pay.server.ts';
import { orderByNumber, type Order } from './store.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { jobHandlers } from '~/app/jobs.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { languages } from '~/base/languages.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const providers = providerNames.map((name) => quietProvider({ name }));
const onPaid = async (...[tx, paid]: Parameters<typeof markPaid>) =>
  void (await markPaid(tx, paid));
const AT = new Date('2026-11-27T10:00:00Z');

describe('why an order may not be paid', () => {
  const unpaid = { paidAt: null, closedAt: null };
  const attempt = (state: (typeof paymentStates)[number], more = {}) => ({
    state,
    supersededAt: null,
    cameBackAt: null,
    ...more,
  });

  it.each(paymentStates)('an attempt that is %s', (state) => {
    const awaited = state === 'pending' ? 'held' : state === 'authorised' ? 'confirming' : null;
    expect(payRefusal(unpaid, [attempt(state)])).toBe(awaited);
    const back = isOpen(state) ? (awaited ?? 'awaited') : null;
    expect(payRefusal(unpaid, [attempt(state, { cameBackAt: AT })])).toBe(back);
    expect(payRefusal(unpaid, [attempt(state, { cameBackAt: AT, supersededAt: AT })])).toBeNull();
  });

  it('whatever became of attempts, a paid or closed order is paid or closed', () => {
    const attempts = paymentStates.map((state) => attempt(state));
    expect(payRefusal({ paidAt: AT, closedAt: AT }, attempts)).toBe('paid');
    expect(payRefusal({ paidAt: null, closedAt: AT }, attempts)).toBe('closed');
  });

  it('an attempt can be gone on with while it is at the provider, and alone', () => {
    const own = attempt('redirected');
    expect(payRefusal(unpaid, [own], own)).toBeNull();
    expect(payRefusal(unpaid, [own, attempt('pending')], own)).toBe('held');
    const old = attempt('expired', { supersededAt: AT });
    expect(payRefusal(unpaid, [old], old)).toBe('superseded');
    const over = attempt('cancelled');
    expect(payRefusal(unpaid, [over], over)).toBe('ended');
  });
});

const who = {
  payer: { role: 'payer', sessionHash: newBrowser(platform).sessionHash },
  guest: { role: 'guest', sessionHash: newBrowser(platform).sessionHash },
} satisfies Record<string, Initiator>;

const current = async ({ number }: Order) => {
  const order = await orderByNumber(db, number);
  if (!order) throw new Error('It was placed');
  return order;
};
const ruleOf = async (order: Order) =>
  payRefusal(await current(order), await attemptsByReference(db, order.number));

async function start(placed: Order, by: Initiator, provider: ProviderName) {
  const order = await current(placed);
  const started = await checkout(platform, providers, order, {
    by,
    address: '192.0.2.1',
    provider,
  });
  return started.ok ? null : started.error.code;
}

type Step =
  | { kind: 'start'; by: keyof typeof who; provider: ProviderName }
  | { kind: 'event'; which: number; event: (typeof paymentEvents)[number] }
  | { kind: 'back'; which: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'supersede' };

const which = fc.nat({ max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      by: fc.constantFrom('payer' as const, 'guest' as const),
      provider: fc.constantFrom(...providerNames),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      which,
      event: fc.constantFrom('hold', 'authorise', 'capture', 'decline', 'cancel', 'expire'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 5, 40),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'supersede' as const }) },
);

/** Plays one step of an order's life, and compares what a start answers with the rule. */
async function play(order: Order, one: Step): Promise<void> {
  const attempts = await attemptsByReference(db, order.number);
  if (one.kind === 'wait') {
    platform.clock.advance(one.minutes * 60_000);
    await sweep(platform, providers, onPaid);
    return;
  }
  if (one.kind === 'supersede') {
    await db.transaction((tx) => supersedeAttempts(tx, order.number, platform.now()));
    return;
  }
  if (one.kind === 'start') {
    const rule = await ruleOf(order);
    const by = who[one.by];
    const answer = await start(order, by, one.provider);
    if (rule !== null) {
      expect(answer).toBe(rule === 'paid' ? 'already_paid' : rule);
      expect(await attemptsByReference(db, order.number)).toHaveLength(attempts.length);
      return;
    }
    expect(answer).toBeNull();
    const now = await attemptsByReference(db, order.number);
    // Nothing that may be captured at any moment, and of one's own only the one that was begun or continued.
    expect(now.map((attempt) => payRefusal(order, [attempt]))).toEqual(now.map(() => null));
    const own = now.filter(({ state, begunBy }) => state === 'redirected' && begunBy === by.role);
    expect(own.map(({ provider }) => provider)).toEqual([one.provider]);
    return;
  }
  const attempt = attempts[one.which % Math.max(attempts.length, 1)];
  if (!attempt) return;
  if (one.kind === 'back') {
    await storeReturn(db, attempt.id, platform.now());
    return;
  }
  await settle(
    platform,
    providerNames.find((name) => name === attempt.provider) ?? 'card',
    {
      eventId: randomUUID(),
      attemptId: attempt.id,
      event: one.event,
      amount: usd(attempt.amountMinor),
      providerReference: attempt.providerReference,
      captureId: one.event === 'capture' ? `C-${attempt.id}` : null,
      reason: null,
      payload: {},
    },
    onPaid,
  );
}

describe('the start of a payment', () => {
  it('follows the rule whatever happened before, at every provider and by everybody', async () => {
    const history = fc.array(step, { minLength: 2, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { order } = await makeApplication(platform, { paid: false });
        for (const one of steps) await play(order, one);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);

  const others = providerNames.flatMap((provider) =>
    (['pending', 'authorised', 'redirected'] as const).map((state) => ({ provider, state })),
  );
  it.each(others)('is refused beside one at $provider that is $state', async (other) => {
    const { order } = await makeApplication(platform, { paid: false });
    const cameBackAt = other.state === 'redirected' ? platform.now() : null;
    await db.transaction((tx) =>
      storeAttempt(tx, order, platform.now(), { ...other, begunBy: 'guest', cameBackAt }),
    );
    for (const provider of providerNames) {
      const code = await start(order, who.payer, provider);
      expect(isAwaited(code)).toBe(true);
      expect(code).toBe(await ruleOf(order));
    }
  });

  it('is free again once the provider says, two minutes after the payer came back, that nothing was paid', async () => {
    const { order } = await makeApplication(platform, { paid: false });
    expect(await start(order, who.payer, 'card')).toBeNull();
    const [attempt] = await attemptsByReference(db, order.number);
    await storeReturn(db, attempt?.id ?? '', platform.now());
    platform.clock.advance(60_000);
    await sweep(platform, providers, onPaid);
    expect(await ruleOf(order)).toBe('awaited');
    platform.clock.advance(70_000);
    await sweep(platform, [quietProvider({ ask: async () => 'no_answer' })], onPaid);
    expect(await ruleOf(order)).toBe('awaited');
    platform.clock.advance(10 * 60_000);
    await sweep(platform, providers, onPaid);
    expect(await ruleOf(order)).toBeNull();
  });
});

describe('held payment', async () => {
  const platform = await makeTestPlatform();
  const payments = makePayments(platform);
  const { db, sent } = platform;

  /** An order whose payment by PayPal is held, and what else PayPal says of it. */
  async function heldPayment(language = 'en') {
    const { order } = await makeApplication(platform, { paid: false, language });
    const attemptId = await db.transaction((tx) =>
      storeAttempt(tx, order, platform.now(), { provider: 'paypal' }),
    );
    const say = async (event: PaymentEvent) => {
      const said = {
        eventId: randomUUID(),
        attemptId,
        event,
        amount: usd(94_00),
        providerReference: null,
        captureId: event === 'capture' ? `C-${attemptId}` : null,
        reason: null,
        payload: {},
      };
      await settle(platform, 'paypal', said, payments.onPaid);
      sent.length = 0;
      await platform.runJobs(jobHandlers(platform, payments));
      return sent.map(({ subject, text }) => ({ subject, text }));
    };
    return { say };
  }

  describe('a payment that its provider holds', () => {
    it.each(languages.map(({ code }) => code))(
      'is told to the payer once, by an email without a way to pay (%s)',
      async (language) => {
        const { say } = await heldPayment(language);
        const [email, ...others] = await say('hold');
        expect(others).toEqual([]);
        expect(email?.text).toContain('94');
        expect(email?.text).not.toContain('/my-order/');
        expect(await say('hold')).toEqual([]);
      },
    );

    it('says that it is being confirmed and is not to be paid again', async () => {
      const { say } = await heldPayment();
      const [email] = await say('hold');
      expect(email?.subject).toMatch(/^We’re confirming your payment: TRV /);
      expect(email?.text).toContain('Do not pay again');
      expect(email?.text).toContain('can take hours, sometimes days');
    });

    it('and declines leads the payer back to the payment by an email', async () => {
      const { say } = await heldPayment();
      await say('hold');
      platform.clock.advance(2 * 3600_000);
      const [email] = await say('decline');
      expect(email?.subject).toMatch(/^Not paid yet/);
      expect(email?.text).toContain('/my-order/');
    });

    it('and captures is received, and nothing else is written', async () => {
      const { say } = await heldPayment();
      await say('hold');
      expect((await say('capture')).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^We’ve received your application/),
      ]);
    });
  });
});
