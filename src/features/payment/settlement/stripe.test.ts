import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Order } from '~/features/order/store.server.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { usd } from '~/base/money.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { somePayer } from '../../../../test/browser.ts';
import { stripe as stripeProvider } from '../providers/stripe.server.ts';
import { deliver, webhooksAbout, playScenario } from '~/lab/partner.server.ts';
import {
  closeDispute,
  decidePayment,
  failRefund,
  openDispute,
  pay,
  type PayerChoice,
  refundByHand,
  sendWebhook,
  simulatedStripe,
} from '~/lab/stripe/simulated-stripe.server.ts';
import { sessionRefunds, sessions } from '~/lab/stripe/stripe-resources.server.ts';
import { requestRefund } from './refund-request.server.ts';
import { attemptById, attemptsByReference, eventsByAttempt, openAlerts } from './store.server.ts';
import { closePage } from './close-page.server.ts';
import { supersedeAttempts } from './supersede.server.ts';
import { sweep } from './sweep.server.ts';
import { paymentAttempt } from '../tables.server.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const {
  place,
  comeBack,
  stateOf,
  expectPaidOnce,
  expectUnpaid,
  start: startAtGateway,
  pay: payAtGateway,
} = purchases(service);
const stripe = needed(simulatedStripe(platform));
const provider = needed(payments.providers.find(({ name }) => name === 'stripe'));
const gateway = needed(payments.providers.find(({ name }) => name === 'card'));
const MINUTE = 60_000;
const sweepNow = () => sweep(platform, payments.providers, payments.onPaid);

async function start(order: Order): Promise<string> {
  const options = { by: somePayer, address: '192.0.2.1', provider: 'stripe' };
  const started = await checkout(platform, payments.providers, order, options);
  if (!started.ok) throw new Error(started.error.code);
  expect(started.value.paymentUrl).toMatch(/\/lab\/stripe\/pay\?session=cs_test_[0-9a-f]{58}$/);
  return started.value.attemptId;
}

const sessionId = async (attempt: string) =>
  needed(needed(await attemptById(platform.db, attempt)).providerReference);

async function paid(choice: PayerChoice = {}) {
  const order = await place();
  const attempt = await start(order);
  const id = await sessionId(attempt);
  const address = needed(await pay(stripe, id, { deliveries: 'never', ...choice }));
  return { order, attempt, id, address };
}

async function settled() {
  const one = await paid();
  await comeBack(one.address);
  const { captureId } = needed(await attemptById(platform.db, one.attempt));
  return { ...one, captureId: needed(captureId) };
}

const deliverAll = async (id: string) => {
  const statuses: number[] = [];
  for (const event of await webhooksAbout(stripe, id)) {
    statuses.push(await deliver(stripe, event.id));
  }
  return statuses;
};
const alertsOf = async (attemptId: string) =>
  (await openAlerts(platform.db)).filter((alert) => alert.attemptId === attemptId);

describe('a payment at Stripe', () => {
  it('is paid when the payer comes back, with the charge and the card’s last digits', async () => {
    const { order, attempt, id, address } = await paid();
    await expectUnpaid(order);
    expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
    await expectPaidOnce(order);
    const { chargeId } = needed(await sessions.get(stripe.db, id));
    expect(await attemptById(platform.db, attempt)).toMatchObject({ captureId: chargeId });
    expect((await eventsByAttempt(platform.db, attempt)).at(-1)?.payload).toMatchObject({
      cardLast4: '4242',
      amount: '94.00',
    });
  });

  it('that was declined on Stripe’s page can still be paid there', async () => {
    const order = await place();
    const attempt = await start(order);
    const id = await sessionId(attempt);
    expect(await pay(stripe, id, { outcome: 'declined' })).toBeNull();
    await comeBack(needed(await pay(stripe, id)));
    await expectPaidOnce(order);
  });

  it('that the bank decides later waits, and is declined with its reason', async () => {
    const { order, attempt, id, address } = await paid({ outcome: 'processing' });
    expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
    expect(await stateOf(attempt)).toBe('pending');
    await decidePayment(stripe, id, 'failed');
    platform.clock.advance(5 * MINUTE);
    await sweepNow();
    await expectUnpaid(order);
    expect(await attemptById(platform.db, attempt)).toMatchObject({
      state: 'failed',
      reason: 'insufficient_funds',
    });
  });

  it.each(['limited', 'error_before', 'error_after', 'reset_after'] as const)(
    'is started by the second try after %s, once',
    async (kind) => {
      const order = await place();
      await playScenario(stripe, 'create', kind);
      const attempt = await start(order);
      const { rows } = await platform.pool.query(
        `select id from simulated_document where kind = 'session' and body->>'clientReferenceId' = $1`,
        [attempt],
      );
      expect(rows).toHaveLength(1);
      await comeBack(needed(await pay(stripe, await sessionId(attempt))));
      await expectPaidOnce(order);
    },
  );

  it('without an answer in time leaves the attempt open', async () => {
    const order = await place();
    await playScenario(stripe, 'create', 'held');
    const impatient = stripeProvider({
      endpoint: stripe.apiUrl,
      secretKey: stripe.secretKey,
      webhookSecrets: [stripe.webhookSecret],
      timeoutMs: 300,
      now: platform.now,
    });
    const started = await checkout(platform, [impatient], order, {
      by: somePayer,
      address: '192.0.2.1',
    });
    expect(started).toMatchObject({ ok: false, error: { code: 'start_failed' } });
    expect(await attemptsByReference(platform.db, order.number)).toMatchObject([
      { state: 'created' },
    ]);
  });

  it('with a key that Stripe does not accept decides nothing', async () => {
    const { attempt, id } = await settled();
    const { captureId } = needed(await attemptById(platform.db, attempt));
    const stranger = stripeProvider({
      endpoint: stripe.apiUrl,
      secretKey: 'sk_test_somebody_else',
      webhookSecrets: [],
      timeoutMs: 2000,
      now: platform.now,
    });
    const asked = { id: attempt, providerReference: id, captureId: needed(captureId) };
    expect(await stranger.ask(asked, { mayCapture: false })).toBe('no_answer');
    const refund = { refundId: crypto.randomUUID(), attempt: asked, amount: usd(1_00) };
    expect(await stranger.refund(refund)).toMatchObject({ error: { code: 'no_answer' } });
  });
});

describe('Stripe’s page', () => {
  const closed = async (id: string) => {
    await service.runJobs();
    expect(await sessions.get(stripe.db, id)).toMatchObject({ status: 'expired' });
    await pay(stripe, id);
    expect(await sessions.get(stripe.db, id)).toMatchObject({ captured: null });
  };

  it('in one tab is given up and closed once the payer chose the gateway in another', async () => {
    const order = await place();
    const attempt = await start(order);
    const atGateway = await startAtGateway(order, [gateway]);
    await closed(await sessionId(attempt));
    expect(await stateOf(attempt)).toBe('cancelled');
    await comeBack(await payAtGateway(atGateway));
    await expectPaidOnce(order);
  });

  it('that the payer left is closed once the order was paid by another one', async () => {
    const order = await place();
    const first = await start(order);
    const id = await sessionId(first);
    await comeBack(needed(needed(await sessions.get(stripe.db, id)).cancelUrl));
    const second = await start(order);
    await comeBack(needed(await pay(stripe, await sessionId(second))));
    await closed(id);
    expect(await stateOf(first)).toBe('cancelled');
    await expectPaidOnce(order);
  });

  it('for an amount that is no longer due is closed', async () => {
    const order = await place();
    const attempt = await start(order);
    await platform.db.transaction((tx) => supersedeAttempts(tx, order.number, platform.now()));
    await closed(await sessionId(attempt));
    await expectUnpaid(order);
  });

  it('that is paid before it can be closed is refunded, as ever', async () => {
    const order = await place();
    const attempt = await start(order);
    const id = await sessionId(attempt);
    await comeBack(await payAtGateway(await startAtGateway(order, [gateway])));
    await pay(stripe, id);
    await service.runJobs();
    expect(await stateOf(attempt)).toBe('refunded');
    expect(await alertsOf(attempt)).toMatchObject([{ kind: 'paid_twice' }]);
    await expectPaidOnce(order);
  });

  it('stays open while its attempt can still pay, whoever asks to close it', async () => {
    const order = await place();
    const attempt = await start(order);
    await closePage(platform, payments.providers, attempt);
    const id = await sessionId(attempt);
    expect(await sessions.get(stripe.db, id)).toMatchObject({ status: 'open' });
  });

  it('is asked about again while Stripe does not answer', async () => {
    const attempt = await start(await place());
    await platform.db
      .update(paymentAttempt)
      .set({ supersededAt: platform.now() })
      .where(eq(paymentAttempt.id, attempt));
    await service.goAway();
    await expect(closePage(platform, payments.providers, attempt)).rejects.toThrow('no answer');
    await service.comeBack();
    await closePage(platform, payments.providers, attempt);
    await closePage(platform, payments.providers, attempt);
  });
});

describe('a webhook of Stripe', () => {
  it('is a hint alone: what it claims is asked for first', async () => {
    const order = await place();
    const attempt = await start(order);
    const id = await sessionId(attempt);
    const session = needed(await sessions.get(stripe.db, id));
    const object = {
      id,
      object: 'checkout.session',
      client_reference_id: attempt,
      status: 'complete',
      payment_status: 'paid',
      amount_total: 94_00,
    };
    const event = await platform.db.transaction((tx) =>
      sendWebhook(tx, stripe, session, { type: 'checkout.session.completed', object }),
    );
    expect(await deliver(stripe, event.id)).toBe(200);
    await expectUnpaid(order);
    expect(await eventsByAttempt(platform.db, attempt)).toEqual([]);
  });

  it('is to come again while Stripe does not answer', async () => {
    const { order, id } = await paid();
    const [event] = await webhooksAbout(stripe, id);
    for (let tries = 0; tries < 2; tries++) await playScenario(stripe, 'get', 'limited');
    expect(await deliver(stripe, needed(event).id)).toBe(503);
    await expectUnpaid(order);
    expect(await deliver(stripe, needed(event).id)).toBe(200);
    await expectPaidOnce(order);
  });

  it('of other software on the account, or about other things, is acknowledged', async () => {
    const { id } = await settled();
    const session = needed(await sessions.get(stripe.db, id));
    const say = async (type: string, object: object) => {
      const event = await platform.db.transaction((tx) =>
        sendWebhook(tx, stripe, session, { type, object }),
      );
      return deliver(stripe, event.id);
    };
    expect(await say('invoice.paid', { id: 'in_1', object: 'invoice' })).toBe(200);
    expect(await say('checkout.session.completed', { id: 'cs_test_unknown' })).toBe(200);
    expect(await say('charge.refunded', { id: 'ch_unknown' })).toBe(200);
  });
});

describe('a refund by Stripe', () => {
  it('made on Stripe’s own pages is told of, by whichever event arrives', async () => {
    const { attempt, id, captureId } = await settled();
    await refundByHand(stripe, captureId, 10_00);
    await refundByHand(stripe, captureId, 5_00);
    expect(await deliverAll(id)).toEqual([200, 200, 200, 200, 200]);
    const alerts = await alertsOf(attempt);
    expect(alerts.map(({ kind }) => kind)).toEqual(['unknown_refund', 'unknown_refund']);
    expect(await stateOf(attempt)).toBe('completed');
    const asked = { id: attempt, providerReference: id };
    expect(await provider.books(asked)).toMatchObject({ refunded: usd(15_00) });
  });

  it('that fails after it had succeeded raises an alert, once, and is in Stripe’s books as such', async () => {
    const { attempt, id, captureId } = await settled();
    const refund = await platform.db.transaction((tx) =>
      requestRefund(tx, {
        attemptId: attempt,
        amount: usd(94_00),
        reason: 'cancelled',
        requestedBy: 'system',
        at: platform.now(),
      }),
    );
    await service.runJobs();
    expect(await stateOf(attempt)).toBe('refunded');
    const [made] = await sessionRefunds(stripe.db, id);
    await failRefund(stripe, needed(made).id);
    expect((await deliverAll(id)).every((status) => status === 200)).toBe(true);
    await deliverAll(id);
    expect(await alertsOf(attempt)).toMatchObject([
      { kind: 'refund_failed', detail: { refundId: refund.ok && refund.value.id } },
    ]);
    const asked = { id: attempt, providerReference: id };
    expect(await provider.books(asked)).toMatchObject({ captureId, refunded: usd(0) });
  });

  it('is found again after Stripe has dropped the idempotency key', async () => {
    const { attempt, id, captureId } = await settled();
    const refund = {
      refundId: crypto.randomUUID(),
      attempt: { id: attempt, providerReference: id, captureId },
      amount: usd(10_00),
    };
    const first = await provider.refund(refund);
    await platform.pool.query(
      `delete from simulated_document where partner = 'stripe' and kind = 'answer'`,
    );
    expect(await provider.refund(refund)).toEqual(first);
    expect(await provider.books(refund.attempt)).toMatchObject({ refunded: usd(10_00) });
  });

  it('is found among more refunds than a page of the list has', async () => {
    const { attempt, id, captureId } = await settled();
    const refundOf = (refundId: string) =>
      provider.refund({
        refundId,
        attempt: { id: attempt, providerReference: id, captureId },
        amount: usd(10),
      });
    const oldest = crypto.randomUUID();
    const first = await refundOf(oldest);
    platform.clock.advance(MINUTE);
    for (let count = 0; count < 101; count++) await refundByHand(stripe, captureId, 10);
    await platform.pool.query(
      `delete from simulated_document where partner = 'stripe' and kind = 'answer'`,
    );
    expect(await refundOf(oldest)).toEqual(first);
    const asked = { id: attempt, providerReference: id };
    expect(await provider.books(asked)).toMatchObject({ refunded: usd(102 * 10) });
  });
});

describe('a dispute at Stripe', () => {
  it('raises an alert for each state that it reaches, once, and changes no money', async () => {
    const { attempt, id, captureId } = await settled();
    const dispute = await openDispute(stripe, captureId);
    await deliverAll(id);
    await deliverAll(id);
    await closeDispute(stripe, dispute.id, 'lost');
    await deliverAll(id);
    const alerts = await alertsOf(attempt);
    expect(alerts.map(({ kind }) => kind)).toEqual(['disputed', 'disputed']);
    expect(alerts.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: 'needs_response', reason: 'fraudulent' }),
        expect.objectContaining({ status: 'lost', amountMinor: 94_00, captureId }),
      ]),
    );
    expect(await stateOf(attempt)).toBe('completed');
  });

  it('of a charge that is not settled here yet is to be told again', async () => {
    const { attempt, id, address } = await paid();
    const { chargeId } = needed(await sessions.get(stripe.db, id));
    await openDispute(stripe, needed(chargeId));
    const event = needed((await webhooksAbout(stripe, id)).at(-1));
    expect(await deliver(stripe, event.id)).toBe(404);
    await comeBack(address);
    expect(await deliver(stripe, event.id)).toBe(200);
    expect(await alertsOf(attempt)).toMatchObject([{ kind: 'disputed' }]);
  });
});
