import { beforeEach, describe, expect, it } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { serviceMetrics } from '~/app/service-metrics.server.ts';
import { newBrowser } from '../../../../test/browser.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { attemptsByReference, openAlerts } from '~/features/payment/settlement/store.server.ts';
import { MAX_FAILED_STARTS } from '~/features/payment/provider.ts';
import {
  noteFailedStart,
  noteStart,
  offeredProviders,
  listOutages,
  RETRY_MS,
  WINDOW_MS,
} from '~/features/payment/providers/outage.server.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { gateway, payer, place } = purchases(service);
let reviewer = await storeStaff(platform, { role: 'reviewer' });
let manager = await storeStaff(platform, { role: 'manager' });

beforeEach(async () => {
  // Ends what earlier tests left, moment included, because an alert's key contains the moment of its outage.
  platform.clock.advance(WINDOW_MS);
  await noteStart(platform, 'card');
  // A new session, as these outages outlast one.
  reviewer = await storeStaff(platform, { role: 'reviewer' });
  manager = await storeStaff(platform, { role: 'manager' });
});

/** Presses Pay; returns the provider at which an attempt was made. */
async function press(order: Order, { cookie } = payer, provider?: string): Promise<string | null> {
  platform.clock.advance(1000);
  const answer = await app.request('/pay', {
    method: 'POST',
    headers: { origin: 'http://localhost', cookie },
    body: new URLSearchParams({ order: order.number, ...(provider ? { provider } : {}) }),
  });
  const last = (await attemptsByReference(platform.db, order.number)).at(-1);
  return answer.headers.get('location')?.startsWith('/gpay-checkout')
    ? (last?.provider ?? null)
    : null;
}

/** Makes the card gateway fail to begin a payment, `times` times. */
async function breakCards(times: number, how: 'error' | 'refused' = 'error'): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    void gateway.faults.plan({ on: 'checkout', how });
    expect(await press(await place(), payer, 'card')).toBeNull();
  }
}

const downAlerts = async () =>
  (await openAlerts(platform.db)).filter(({ kind }) => kind === 'partner_down');

const desk = async (path: string, cookie: string) =>
  (await app.request(path, { headers: { cookie } })).text();

const offered = async () =>
  (await offeredProviders(platform, payments.providers)).map(({ name }) => name);

describe('a payment partner that begins no payments', () => {
  it('is loud after the fifth start in a row: alert, figure, banner, and the other one first', async () => {
    await breakCards(MAX_FAILED_STARTS - 1);
    expect(await offered()).toEqual(['card', 'paypal', 'stripe']);
    expect(await downAlerts()).toEqual([]);
    expect(await desk('/admin', reviewer.cookie)).not.toContain('partner-down');
    await breakCards(1);
    expect(await offered()).toEqual(['paypal', 'stripe', 'card']);
    expect(await downAlerts()).toMatchObject([{ detail: { partner: 'card', failures: 5 } }]);
    const figure = serviceMetrics(platform).find(
      ({ name }) => name === 'lale_payment_partners_down',
    );
    expect(await needed(figure).count()).toEqual({ card: 1 });
    for (const path of ['/admin', '/admin/refunds', '/admin/account']) {
      expect(await desk(path, reviewer.cookie)).toContain('data-testid="partner-down"');
    }
    expect(await desk('/admin', '')).not.toContain('data-testid="partner-down"');
    const payments = await desk('/admin/payments', manager.cookie);
    expect(payments).toContain('A payment partner is down');
    expect(payments).not.toContain('No open payment alerts');
    // The next payer who does not choose is sent to the other provider.
    expect(await press(await place())).toBe('paypal');
    // A continuing outage raises no second alert.
    await breakCards(3);
    expect(await downAlerts()).toHaveLength(1);
  });

  it('shows who could not pay there the other one first', async () => {
    const order = await place();
    await breakCards(MAX_FAILED_STARTS);
    void gateway.faults.plan({ on: 'checkout', how: 'error' });
    await press(order, payer, 'card');
    const page = await (
      await app.request(`/payment-cancel?order=${order.number}`, {
        headers: { cookie: payer.cookie },
      })
    ).text();
    expect(page.indexOf('value="paypal"')).toBeGreaterThan(0);
    expect(page.indexOf('value="paypal"')).toBeLessThan(page.indexOf('value="card"'));
  });

  it('is tried again five minutes after its last failure, and quiet from the first start on', async () => {
    await breakCards(MAX_FAILED_STARTS);
    platform.clock.advance(RETRY_MS - 5000);
    expect(await offered()).toEqual(['paypal', 'stripe', 'card']);
    platform.clock.advance(6000);
    expect(await offered()).toEqual(['card', 'paypal', 'stripe']);
    // It is still down, so payers go to the other provider for five more minutes.
    await breakCards(1);
    expect(await offered()).toEqual(['paypal', 'stripe', 'card']);
    expect(await downAlerts()).toHaveLength(1);
    platform.clock.advance(RETRY_MS);
    expect(await press(await place())).toBe('card');
    expect(await downAlerts()).toEqual([]);
    expect(await listOutages(platform.db)).toEqual([]);
    expect(await desk('/admin', reviewer.cookie)).not.toContain('data-testid="partner-down"');
    expect(await offered()).toEqual(['card', 'paypal', 'stripe']);
    // A second outage raises a second alert.
    await breakCards(MAX_FAILED_STARTS);
    expect(await downAlerts()).toHaveLength(1);
  });

  it('is not down by failures with successes or long pauses between them', async () => {
    await breakCards(MAX_FAILED_STARTS - 1);
    expect(await press(await place())).toBe('card');
    await breakCards(MAX_FAILED_STARTS - 1);
    platform.clock.advance(WINDOW_MS);
    await breakCards(MAX_FAILED_STARTS - 1);
    expect(await listOutages(platform.db)).toEqual([]);
  });

  it('is not down because of what a guest is refused, and a payment from before is no start', async () => {
    for (let count = 0; count <= MAX_FAILED_STARTS; count += 1) {
      void gateway.faults.plan({ on: 'checkout', how: 'refused' });
      expect(await press(await place(), newBrowser(platform), 'card')).toBeNull();
    }
    expect(await listOutages(platform.db)).toEqual([]);
    const order = await place();
    await press(order);
    await breakCards(MAX_FAILED_STARTS, 'refused');
    expect(await press(order, payer, 'card')).toBe('card');
    expect(await listOutages(platform.db)).toMatchObject([{ provider: 'card' }]);
  });

  it('is found once by several processes at a time', async () => {
    await Promise.all(Array.from({ length: 12 }, () => noteFailedStart(platform, 'card')));
    expect(await downAlerts()).toHaveLength(1);
    await Promise.all(Array.from({ length: 4 }, () => noteStart(platform, 'card')));
    expect(await downAlerts()).toEqual([]);
  });
});
