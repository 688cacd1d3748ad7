import { expect, test } from 'vitest';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { lastHeard, paymentCallbacks } from './callbacks.server.ts';

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
  expect(await lastHeard(db, 'card', endpoint)).toBeNull();
  expect(await notify(await start(await place()))).toBe(200);
  expect(await lastHeard(db, 'card', endpoint)).toEqual(platform.now());
});
