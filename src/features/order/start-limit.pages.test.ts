import { describe, expect, it } from 'vitest';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { startTestService } from '../../../test/service.ts';
import { limitsOf } from './limits.server.ts';
import type { Order } from './store.server.ts';
import { makeApplication } from '../../../test/make.ts';

const { platform, payments } = await startTestService();
const app = makeTestApp(platform, payments);
const payer = newBrowser(platform);

const call = (path: string) => (order: Order, cookie: string) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ amount: '94.00', orderReference: order.number }),
  });
const form = (path: (order: Order) => string) => (order: Order, cookie: string) =>
  app.request(path(order), {
    method: 'POST',
    headers: { origin: 'http://localhost', accept: 'text/html', cookie },
    body: new URLSearchParams({ order: order.number, intent: 'pay' }),
  });

/** Every way to start the payment of a stored order. */
const ways = {
  'POST /api/payment/create': { kind: 'visa', start: call('/api/payment/create') },
  'POST /paypal/order': { kind: 'visa', start: call('/paypal/order') },
  'the Pay button': { kind: 'visa', start: form(() => '/pay') },
  'the page of an unpaid insurance': {
    kind: 'insurance',
    start: form(({ number }) => `/insurance/payment?ref=${number}`),
  },
} as const;

describe.each(Object.entries(ways))('%s', (_, { kind, start }) => {
  const place = async () =>
    (await makeApplication(platform, { paid: false, kind, sessionHash: payer.sessionHash })).order;
  const countAttempts = async ({ number }: Order) =>
    (await attemptsFor(platform.db, number)).length;

  it('starts the twentieth payment of an order in ten minutes, and not the next', async () => {
    const order = await place();
    await limitsOf(platform).order.consume(order.number, 19);
    expect((await start(order, payer.cookie)).status).toBeLessThan(400);
    const begun = await countAttempts(order);
    expect(begun).toBe(1);
    const refused = await start(order, payer.cookie);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect(await refused.text()).toMatch(/too_many_payments|Too many/i);
    expect(await countAttempts(order)).toBe(begun);
  });

  it('counts guests apart: what they start takes nothing from the payer', async () => {
    const order = await place();
    await limitsOf(platform).order.consume(`guest:${order.number}`, 20);
    expect((await start(order, '')).status).toBe(429);
    expect((await start(order, payer.cookie)).status).toBeLessThan(400);
  });
});

it('twenty are started by the call, and the Pay button starts none after them', async () => {
  const { order } = await makeApplication(platform, {
    paid: false,
    sessionHash: payer.sessionHash,
  });
  const create = ways['POST /api/payment/create'].start;
  for (let started = 0; started < 20; started += 1) {
    expect((await create(order, payer.cookie)).status).toBe(200);
  }
  expect((await create(order, payer.cookie)).status).toBe(429);
  expect((await ways['the Pay button'].start(order, payer.cookie)).status).toBe(429);
});
