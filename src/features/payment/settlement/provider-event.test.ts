import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { orderByNumber } from '~/features/order/store.server.ts';
import { transactionByOrder } from '~/lab/gateway/simulated-gateway.server.ts';
import { purchases, declinedCard, goodCard } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { isThorough } from '../../../../test/thorough.ts';
import { signFields } from '../providers/signed-fields.server.ts';
import { paymentEvent } from '../tables.server.ts';
import { isOpen } from '../machine.ts';
import { eventsByAttempt, openAlerts, attemptsByReference } from './store.server.ts';
import { lastNotificationMoment, paymentCallbacks } from './callbacks.server.ts';
import { sweep, sweepRefunds } from './sweep.server.ts';

const service = await startTestService();
const { platform, url } = service;
const { place, start, pay, comeBack, stateOf, expectPaidOnce, expectUnpaid, gateway } =
  purchases(service);

const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function statement(fields: Record<string, string>, privateKey = gateway.privateKey): string {
  const all = {
    eventId: randomUUID(),
    status: 'completed',
    transactionId: 'ABCD-EF01-2345',
    amount: '94.00',
    currency: 'USD',
    captureId: `CAP-${randomUUID()}`,
    ...fields,
  };
  return Buffer.from(JSON.stringify(signFields(all, privateKey, 'sha256'))).toString('base64');
}

const notify = (payload: string) =>
  fetch(`${url}/api/payment/notification/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
  });

const returnWith = (payload: string) =>
  comeBack(`${url}/api/payment/return/card?${new URLSearchParams({ payload })}`);

/** A payment's genuine message with something changed after it was signed. */
async function tampered(attemptId: string, change: Record<string, string>): Promise<string> {
  const payload = new URL(await pay(attemptId)).searchParams.get('payload') ?? '';
  const fields: Record<string, string> = JSON.parse(Buffer.from(payload, 'base64').toString());
  return Buffer.from(JSON.stringify({ ...fields, ...change })).toString('base64');
}

describe('what is not verifiably the gateway’s changes nothing', () => {
  const unsigned = (orderId: string) =>
    Buffer.from(
      JSON.stringify({ orderId, status: 'completed', amount: '94.00', eventId: 'x' }),
    ).toString('base64');
  it.each<[string, (attemptId: string) => string | Promise<string>]>([
    ['unsigned', unsigned],
    ['signed by a stranger', (id) => statement({ orderId: id }, stranger.privateKey)],
    ['changed after signing', (id) => tampered(id, { amount: '0.01' })],
    ['meant for another attempt', (id) => tampered(id, { orderId: randomUUID() })],
    ['nonsense', () => 'bm9uc2Vuc2U='],
    ['empty', () => ''],
  ])('%s', async (_, make) => {
    const order = await place();
    const attempt = await start(order);
    const payload = await make(attempt);
    expect((await notify(payload)).status).toBe(400);
    expect(await returnWith(payload)).toBe('/payment-cancel?status=error');
    await expectUnpaid(order);
    expect(await stateOf(attempt)).toBe('redirected');
    expect(await eventsByAttempt(platform.db, attempt)).toEqual([]);
  });
});

describe('a genuine statement that does not fit', () => {
  it.each([
    ['a smaller amount', { amount: '0.94' }],
    ['a larger amount', { amount: '940.00' }],
    ['another currency', { currency: 'TRY' }],
    ['no currency', { currency: '' }],
  ])('%s changes nothing, raises an alert and is not confirmed', async (_, fields) => {
    const order = await place();
    const attempt = await start(order);
    const payload = statement({ orderId: attempt, ...fields });
    expect((await notify(payload)).status).toBe(422);
    await expectUnpaid(order);
    expect(await stateOf(attempt)).toBe('redirected');
    const alerts = await openAlerts(platform.db);
    expect(alerts.filter(({ attemptId }) => attemptId === attempt).map(({ kind }) => kind)).toEqual(
      ['wrong_amount'],
    );
    // The genuine payment still pays.
    await comeBack(await pay(attempt));
    await expectPaidOnce(order);
  });

  it('a wrong amount stays refused however often it is delivered', async () => {
    const order = await place();
    const payload = statement({ orderId: await start(order), amount: '1.00' });
    expect((await notify(payload)).status).toBe(422);
    expect((await notify(payload)).status).toBe(422);
  });

  it('an unknown reference is kept once, raises one alert and is answered 404 every time', async () => {
    const eventId = randomUUID();
    const payload = statement({ orderId: randomUUID(), eventId });
    expect((await notify(payload)).status).toBe(404);
    expect((await notify(payload)).status).toBe(404);
    expect(await returnWith(payload)).toBe('/payment-cancel?status=error');
    const kept = (await platform.db.select().from(paymentEvent)).filter(
      (event) => event.eventId === eventId,
    );
    expect(kept.map(({ result }) => result)).toEqual(['unknown_reference']);
    const alerts = (await openAlerts(platform.db)).filter(
      ({ kind }) => kind === 'unknown_reference',
    );
    expect(alerts).toHaveLength(1);
  });

  it('another provider’s address does not believe it', async () => {
    const order = await place();
    const payload = statement({ orderId: await start(order) });
    const response = await fetch(`${url}/api/payment/notification/paypal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload }),
    });
    expect(response.status).toBe(400);
    await expectUnpaid(order);
  });
});

describe('one capture', () => {
  it('cannot pay two orders', async () => {
    const [one, other] = [await place(), await place()];
    const captureId = `CAP-${randomUUID()}`;
    const [first, second] = [await start(one), await start(other)];
    expect(
      (await notify(statement({ orderId: first, captureId, transactionId: 'T-1' }))).status,
    ).toBe(200);
    const again = await notify(statement({ orderId: second, captureId, transactionId: 'T-2' }));
    expect(again.status).toBe(422);
    await expectPaidOnce(one);
    await expectUnpaid(other);
    const alerts = await openAlerts(platform.db);
    expect(alerts.find(({ attemptId }) => attemptId === second)?.kind).toBe('capture_reused');
  });
});

describe('callbacks', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const { db, pool, config } = platform;
  const { place, start, pay, expectPaidOnce } = purchases(service);

  const endpoint = 'https://gateway.example';
  const card = {
    endpoint,
    publicEndpoint: '',
    merchantId: 'lale',
    privateKey: '',
    providerPublicKeys: [],
    digest: 'sha256' as const,
    mode: 'api' as const,
    timeoutMs: 2000,
  };
  // The simulated gateway speaks; to us it is one with credentials, whose notifications are noted.
  const real = { ...platform, config: { ...config, providers: { ...config.providers, card } } };
  const callbacks = paymentCallbacks(real, payments);

  async function notify(attemptId: string): Promise<number> {
    const payload = new URL(await pay(attemptId)).searchParams.get('payload');
    const { status } = await callbacks.request('/api/payment/notification/card', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload }),
    });
    return status;
  }

  test('a payment is settled and acknowledged where its notification cannot be noted, and the next one is', async () => {
    await pool.query('alter table payment_notification rename to payment_notification_away');
    const order = await place();
    const status = await notify(await start(order)).finally(() =>
      pool.query('alter table payment_notification_away rename to payment_notification'),
    );
    expect(status).toBe(200);
    await expectPaidOnce(order);
    expect(await lastNotificationMoment(db, 'card', endpoint)).toBeNull();
    expect(await notify(await start(await place()))).toBe(200);
    expect(await lastNotificationMoment(db, 'card', endpoint)).toEqual(platform.now());
  });
});

describe('any order', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const { place, start, pay, cancel, comeBack, expectPaidOnce, expectUnpaid, gateway } =
    purchases(service);
  const MINUTE = 60_000;

  /** What traveller, gateway and network may do, in any order; `which` picks one of the attempts so far. */
  const step = fc.record({
    action: fc.constantFrom(
      'start',
      'wait',
      'pay',
      'pay',
      'decline',
      'cancel',
      'return',
      'notify',
      'sweep',
      'gateway_away',
      'gateway_back',
    ),
    which: fc.nat({ max: 3 }),
  });

  describe('whatever happens in whatever order', () => {
    it('ends with one paid order if anything was captured, else with none, and nothing undecided', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const order = await place();
          const attempts: string[] = [];
          const returns = new Map<string, string>();
          let isAway = false;
          const leave = async (away: boolean) => {
            if (away === isAway) return;
            isAway = away;
            await (away ? service.goAway() : service.comeBack());
          };

          for (const { action, which } of [{ action: 'start' as const, which: 0 }, ...steps]) {
            const attempt = attempts[which % Math.max(attempts.length, 1)];
            if (action === 'start') {
              await start(order).then(
                (id) => attempts.push(id),
                () => undefined,
              );
            }
            if (action === 'wait') platform.clock.advance(40 * MINUTE);
            if (action === 'gateway_away') await leave(true);
            if (action === 'gateway_back') await leave(false);
            if (action === 'sweep') await sweep(platform, payments.providers, payments.onPaid);
            if (action === 'notify') await service.runJobs();
            if (!attempt) continue;
            if (action === 'pay') returns.set(attempt, await pay(attempt, goodCard));
            if (action === 'decline') returns.set(attempt, await pay(attempt, declinedCard));
            if (action === 'cancel') returns.set(attempt, await cancel(attempt));
            const address = returns.get(attempt);
            if (action === 'return' && address && !isAway) await comeBack(address);
          }

          await leave(false);
          for (let passed = 0; passed < 30; passed++) {
            platform.clock.advance(60 * MINUTE);
            await sweep(platform, payments.providers, payments.onPaid);
            await sweepRefunds(platform, payments);
          }

          const stored = await attemptsByReference(platform.db, order.number);
          expect(stored.filter(({ state }) => isOpen(state))).toEqual([]);
          const transactions = await Promise.all(
            stored.map(({ id }) => transactionByOrder(gateway.db, id)),
          );
          const captured = transactions.filter((transaction) => transaction?.captureId);
          if (captured.length === 0) return expectUnpaid(order);
          await expectPaidOnce(order);
          const paid = await orderByNumber(platform.db, order.number);
          for (const transaction of captured) {
            const refunded = Object.values(transaction?.refunds ?? {});
            expect(refunded).toEqual(transaction?.orderRef === paid?.paidBy ? [] : [94_00]);
          }
        }),
        { numRuns: isThorough ? 25 : 8, endOnFailure: true },
      );
    }, 60_000);
  });
});
