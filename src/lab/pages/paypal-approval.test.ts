import { describe, expect, it } from 'vitest';
import { checkout } from '~/features/order/checkout.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { attemptById } from '~/features/payment/settlement/store.server.ts';
import { wholeOrder } from '../paypal/paypal-store.server.ts';
import { simulatedPaypal } from '../paypal/simulated-paypal.server.ts';
import { somePayer } from '../../../test/browser.ts';
import { needed } from '../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { place, comeBack, expectPaidOnce, expectUnpaid } = purchases(service);
const paypal = needed(simulatedPaypal(platform));

async function approval() {
  const order = await place();
  const options = { by: somePayer, address: '192.0.2.1', provider: 'paypal' };
  const started = await checkout(platform, payments.providers, order, options);
  if (!started.ok) throw new Error(started.error.code);
  const attempt = needed(await attemptById(platform.db, started.value.attemptId));
  const token = needed(attempt.providerReference);
  const path = `/lab/paypal/checkoutnow?token=${token}`;
  const press = async (fields: Record<string, string>, on = app) => {
    const body = new URLSearchParams({ token, ...fields });
    const response = await on.request(path, { method: 'POST', body });
    return { status: response.status, location: response.headers.get('location') ?? '' };
  };
  return { order, token, path, press };
}

describe('the simulated PayPal’s page', () => {
  it('shows what is paid, runs no framework and says that it is a test', async () => {
    const { path } = await approval();
    const response = await app.request(path);
    const html = await response.text();
    expect(html).toContain('94.00 USD');
    expect(html).toContain('This is a test and is not PayPal');
    expect(html).not.toContain('reactRouterContext');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('leads back to the merchant, where the payment is taken', async () => {
    const { order, press, path } = await approval();
    const { location } = await press({ intent: 'approve' });
    expect(location).toContain(`${platform.config.publicUrl}/api/payment/return/paypal?state=`);
    // Opening it again changes nothing and redirects to the same place.
    expect((await app.request(path)).headers.get('location')).toBe(location);
    expect(await comeBack(location)).toMatch(/^\/payment-success\?/);
    await expectPaidOnce(order);
  });

  it('does what was chosen', async () => {
    const { order, token, press } = await approval();
    const { location } = await press({
      intent: 'approve',
      outcome: 'declined',
      deliveries: 'never',
    });
    expect(await comeBack(location)).toMatch(/^\/payment-cancel\?/);
    expect(needed(await wholeOrder(paypal.db, token)).order.deliveries).toBe('never');
    await expectUnpaid(order);
  });

  it('cancels to the merchant’s cancel address', async () => {
    const { order, press } = await approval();
    const { location } = await press({ intent: 'cancel' });
    expect(await comeBack(location)).toMatch(/^\/payment-cancel\?/);
    await expectUnpaid(order);
  });

  it.each(['', '?token=', '?token=0UNKNOWN'])('does not know “%s”', async (query) => {
    expect((await app.request(`/lab/paypal/checkoutnow${query}`)).status).toBe(404);
  });

  it('does not exist in live mode, nor do the calls behind it', async () => {
    const live = makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } });
    const { path, press } = await approval();
    expect((await live.request(path)).status).toBe(404);
    expect((await press({ intent: 'approve' }, live)).status).toBe(404);
    const token = await live.request('/lab/paypal/v1/oauth2/token', { method: 'POST' });
    expect(token.ok).toBe(false);
  });
});
