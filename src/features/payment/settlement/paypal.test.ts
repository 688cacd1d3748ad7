import { describe, expect, it, test } from 'vitest';
import { usd } from '~/base/money.ts';
import type { Order } from '~/features/order/store.server.ts';
import { checkout } from '~/features/order/checkout.server.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { deliver, webhooksAbout, playScenario, transmission } from '~/lab/partner.server.ts';
import {
  approve,
  decidePending,
  refundByHand,
  simulatedPaypal,
} from '~/lab/paypal/simulated-paypal.server.ts';
import { wholeOrder } from '~/lab/paypal/paypal-resources.server.ts';
import type { CaptureOutcome, DeliveryManner } from '~/lab/scenarios.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { paymentCallbacks } from './callbacks.server.ts';
import { attemptById, attemptsByReference } from './store.server.ts';
import { sweep } from './sweep.server.ts';
import { somePayer } from '../../../../test/browser.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments, url } = service;
const { place, comeBack, stateOf, expectPaidOnce, expectUnpaid } = purchases(service);
const paypal = needed(simulatedPaypal(platform));
const MINUTE = 60_000;
const sweepNow = () => sweep(platform, payments.providers, payments.onPaid);

async function start(order: Order): Promise<string> {
  const address = '192.0.2.1';
  const options = { by: somePayer, address, provider: 'paypal' };
  const started = await checkout(platform, payments.providers, order, options);
  if (!started.ok) throw new Error(started.error.code);
  expect(started.value.paymentUrl).toMatch(/\/lab\/paypal\/checkoutnow\?token=[A-Z0-9]+$/);
  return started.value.attemptId;
}

const paypalId = async (attempt: string) =>
  needed(needed(await attemptById(platform.db, attempt)).providerReference);

async function approved(
  outcome: CaptureOutcome = 'completed',
  deliveries: DeliveryManner = 'never',
) {
  const order = await place();
  const attempt = await start(order);
  const id = await paypalId(attempt);
  const address = needed(await approve(paypal, id, { outcome, deliveries }));
  return { order, attempt, id, address };
}

const takenAt = async (id: string) => needed(await wholeOrder(paypal.db, id)).captures;
const deliverAll = async (id: string) => {
  const events = await webhooksAbout(paypal, id);
  return Promise.all(events.map((event) => deliver(paypal, event.id)));
};

describe('a payment at PayPal', () => {
  it('waits while the capture is under review, and is paid by the webhook', async () => {
    const { order, attempt, address, id } = await approved('pending');
    expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
    expect(await stateOf(attempt)).toBe('pending');
    await expectUnpaid(order);
    await decidePending(paypal, id, 'COMPLETED');
    await deliverAll(id);
    await expectPaidOnce(order);
  });

  it('fails when the review says no', async () => {
    const { order, attempt, address, id } = await approved('pending');
    await comeBack(address);
    await decidePending(paypal, id, 'DECLINED');
    await deliverAll(id);
    expect(await stateOf(attempt)).toBe('failed');
    await expectUnpaid(order);
  });

  it.each<CaptureOutcome>(['declined', 'refused'])(
    'fails when the capture is %s, and another try pays',
    async (outcome) => {
      const { order, attempt, address } = await approved(outcome);
      expect(await comeBack(address)).toMatch(/^\/payment-cancel\?/);
      expect(await stateOf(attempt)).toBe('failed');
      await expectUnpaid(order);
      const again = await start(order);
      expect(again).not.toBe(attempt);
      await comeBack(needed(await approve(paypal, await paypalId(again))));
      await expectPaidOnce(order);
    },
  );
});

describe('when PayPal goes wrong', () => {
  it.each(['error_before', 'error_after', 'reset_before', 'reset_after'] as const)(
    'one %s at the capture costs nothing',
    async (kind) => {
      const { order, address, id } = await approved();
      await playScenario(paypal, 'capture', kind);
      expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
      await expectPaidOnce(order);
      expect(await takenAt(id)).toHaveLength(1);
    },
  );

  it.each(['error_after', 'reset_after'] as const)(
    'two of %s in a row leave the attempt open, and the sweep finds the capture',
    async (kind) => {
      const { order, attempt, address, id } = await approved();
      await playScenario(paypal, 'capture', kind);
      await playScenario(paypal, 'capture', kind);
      expect(await comeBack(address)).toMatch(/^\/payment-success\?/);
      expect(await stateOf(attempt)).toBe('redirected');
      await expectUnpaid(order);
      platform.clock.advance(10 * MINUTE);
      await sweepNow();
      await expectPaidOnce(order);
      expect(await takenAt(id)).toHaveLength(1);
    },
  );

  it('a lost answer to the creation is asked for again and makes one order', async () => {
    // Gets a token first: fetching one would count as the second try.
    await start(await place());
    await playScenario(paypal, 'create', 'reset_after');
    const order = await place();
    const attempt = await start(order);
    expect(await attemptsByReference(platform.db, order.number)).toHaveLength(1);
    expect(await paypalId(attempt)).toMatch(/^[A-Z0-9]{17}$/);
  });

  it('a creation that is never answered expires, and nothing is taken', async () => {
    const order = await place();
    await playScenario(paypal, 'create', 'error_after');
    await playScenario(paypal, 'create', 'error_after');
    await expect(start(order)).rejects.toThrow('start_failed');
    platform.clock.advance(90 * MINUTE);
    await sweepNow();
    const [attempt] = await attemptsByReference(platform.db, order.number);
    expect(attempt?.state).toBe('expired');
  });

  it('a token that ended is renewed', async () => {
    const { order, address } = await approved();
    platform.clock.advance(2 * 60 * MINUTE);
    await comeBack(address);
    await expectPaidOnce(order);
  });
});

describe('webhooks', () => {
  it('whose certificate cannot be had just now are delivered again', async () => {
    const fresh = await startTestService({ database: platform });
    const { id } = await approved();
    const [event] = await webhooksAbout(paypal, id);
    await playScenario(paypal, 'certificate', 'error_before');
    const there = needed(simulatedPaypal(fresh.platform));
    expect(await deliver(there, needed(event).id)).toBe(503);
    expect(await deliver(there, needed(event).id)).toBe(200);
  });

  it.each([
    'https://evil.example/cert.pem',
    `${paypal.apiUrl.replace('127.0.0.1', 'localhost')}/v1/notifications/certs/x`,
    'file:///etc/passwd',
    '',
  ])('with a certificate from “%s” are refused', async (address) => {
    const response = await fetch(`${url}/api/payment/notification/paypal`, {
      method: 'POST',
      headers: {
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': address,
        'paypal-transmission-id': 'a',
        'paypal-transmission-time': 'b',
        'paypal-transmission-sig': 'c',
      },
      body: '{}',
    });
    expect(response.status).toBe(400);
  });
});

test('forged notifications without end have ten certificates asked for, and PayPal’s own are taken all the while', async () => {
  const [{ id: before }, { order, id }] = [await approved(), await approved()];
  const send = (name: string) =>
    fetch(`${url}/api/payment/notification/paypal`, {
      method: 'POST',
      headers: {
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${paypal.apiUrl}/v1/notifications/certs/CERT-${name}`,
        'paypal-transmission-id': 'a',
        'paypal-transmission-time': 'b',
        'paypal-transmission-sig': 'c',
      },
      body: '{}',
    });
  const [known] = await webhooksAbout(paypal, before);
  expect(await deliver(paypal, needed(known).id)).toBe(200);
  const answers = [];
  for (let count = 0; count < 30; count += 1) answers.push((await send(`${count}`)).status);
  expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
  expect(answers.at(-1)).toBe(503);
  const [event] = await webhooksAbout(paypal, id);
  expect(await deliver(paypal, needed(event).id)).toBe(200);
  await service.runJobs();
  await expectPaidOnce(order);
});

test('PayPal’s own notifications are taken by every process of many, each of which asks for the certificate', async () => {
  await platform.pool.query('delete from rate_limit');
  const { id } = await approved();
  const [event] = await webhooksAbout(paypal, id);
  for (let started = 0; started < 12; started += 1) {
    const process = paymentCallbacks(platform, makePayments(platform));
    const sent = { method: 'POST', ...transmission(paypal, needed(event)) };
    const { status } = await process.request('/api/payment/notification/paypal', sent);
    expect(status).toBe(200);
  }
});

describe('refunds at PayPal', () => {
  async function paid() {
    const { order, attempt, address, id } = await approved();
    await comeBack(address);
    const { captureId } = needed(await attemptById(platform.db, attempt));
    const asked = { id: attempt, providerReference: id, captureId: needed(captureId) };
    return { order, attempt, id, asked };
  }

  it('are found again after PayPal has dropped the request id', async () => {
    const provider = needed(payments.providers.find(({ name }) => name === 'paypal'));
    const { asked } = await paid();
    const whole = { refundId: crypto.randomUUID(), attempt: asked, amount: usd(94_00) };
    const first = await provider.refund(whole);
    await platform.pool.query(
      `delete from simulated_document where partner = 'paypal' and kind = 'answer'`,
    );
    expect(first).toMatchObject({ ok: true });
    expect(await provider.refund(whole)).toEqual(first);
  });

  it('made by hand at PayPal reach us by webhook', async () => {
    const { asked, id } = await paid();
    await refundByHand(paypal, asked.captureId, '5.00');
    expect(await deliverAll(id)).toEqual([200, 200, 200]);
  });
});
