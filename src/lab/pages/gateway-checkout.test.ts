import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkout } from '~/features/order/checkout.server.ts';
import { attemptById } from '~/features/payment/settlement/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { goodCard, purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { transactionByOrder } from '../gateway/simulated-gateway.server.ts';
import { needed } from '../../../test/needed.ts';
import { wholeOrder } from '../paypal/paypal-resources.server.ts';
import { simulatedPaypal } from '../paypal/simulated-paypal.server.ts';
import { somePayer } from '../../../test/browser.ts';

describe('gateway checkout', async () => {
  const service = await startTestService();
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const { place, start, gateway } = purchases(service);

  async function checkout() {
    const order = await start(await place());
    const send = async (fields: Record<string, string>, on = app) => {
      const response = await on.request(`/mock-gpay-payment?order=${order}`, {
        method: 'POST',
        body: new URLSearchParams({ order, ...fields }),
      });
      const html = (await response.text()).split('<script id="page-data"')[0] ?? '';
      return { status: response.status, location: response.headers.get('location'), html };
    };
    const transaction = async () => needed(await transactionByOrder(gateway.db, order));
    return { order, send, transaction };
  }

  const show = async (query: string, on = app) => {
    const response = await on.request(`/mock-gpay-payment?${query}`);
    return { response, html: (await response.text()).split('<script id="page-data"')[0] ?? '' };
  };

  describe('the simulated gateway’s page', () => {
    it('shows what the merchant signed, whatever the query says', async () => {
      const { order } = await checkout();
      const { html } = await show(
        `order=${order}&amount=0.01&merchant=Mallory&return=https://evil.example&cancel=https://evil.example`,
      );
      expect(html).toContain('94.00 USD');
      expect(html).toContain('LALE-TEST');
      expect(html.replaceAll(/<[^>]*>/g, '')).not.toMatch(/Mallory|evil\.example/);
      for (const name of ['cardHolder', 'cardNumber', 'expiryDate', 'cvv']) {
        expect(html).toContain(`name="${name}"`);
      }
      expect(html).toContain('4111 1111 1111 1111');
    });

    it('asks for all four fields', async () => {
      const { send, transaction } = await checkout();
      const { status, html } = await send({ intent: 'pay', cardHolder: 'S', cardNumber: '' });
      expect(status).toBe(422);
      expect(html).toMatch(/role="alert">Please fill in all fields/);
      expect((await transaction()).status).toBe('created');
    });

    it('takes no other number than the published ones, and does not repeat it', async () => {
      const { send, transaction } = await checkout();
      const { status, html } = await send({
        ...goodCard,
        intent: 'pay',
        cardNumber: '4012888888881881',
      });
      expect(status).toBe(422);
      expect(html).toContain('Enter one of the test numbers');
      expect(html).not.toContain('4012888888881881');
      expect((await transaction()).status).toBe('created');
    });

    it('pays and sends the browser to the merchant with a signed result', async () => {
      const { order, send, transaction } = await checkout();
      const { location } = await send({ ...goodCard, intent: 'pay' });
      expect(location).toBe(`/mock-gpay-payment?order=${order}&processing=yes`);
      // Processing takes no time in tests, so the next page redirects back at once.
      const { response } = await show(location?.split('?')[1] ?? '');
      const back = response.headers.get('location') ?? '';
      expect(back).toContain(`${platform.config.publicUrl}/api/payment/return/card?`);
      const payload = new URL(back).searchParams.get('payload') ?? '';
      expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toMatchObject({
        status: 'completed',
        orderId: order,
        ref: order,
        amount: '94.00',
        cardLast4: '1111',
        transactionId: (await transaction()).id,
      });
      const kept = JSON.stringify(await transaction());
      // Longer than a port, which may have these digits.
      expect(kept).not.toContain('411111');
      expect(kept).not.toContain(goodCard.cardHolder);
    });

    it('asks for a confirmation with the challenge card, and pays after it', async () => {
      const { send, transaction } = await checkout();
      const card = { ...goodCard, cardNumber: '4000 0000 0000 3220' };
      const asked = await send({ ...card, intent: 'pay' });
      expect(asked.status).toBe(200);
      expect(asked.html).toContain('value="confirm"');
      expect((await transaction()).status).toBe('created');
      await send({ ...card, intent: 'confirm' });
      expect((await transaction()).status).toBe('completed');
    });

    it('cancels at once, to the address that the merchant signed', async () => {
      const { send, transaction } = await checkout();
      const { location } = await send({ intent: 'cancel', cancel: 'https://evil.example' });
      expect(location).toContain(`${platform.config.publicUrl}/api/payment/return/card?`);
      expect(new URL(location ?? '').searchParams.get('payload')).not.toBeNull();
      expect((await transaction()).status).toBe('cancelled');
    });

    it('decides once: whoever comes again is sent back with the first decision', async () => {
      const { order, send, transaction } = await checkout();
      await send({ intent: 'cancel' });
      await send({ ...goodCard, intent: 'pay' });
      expect((await transaction()).status).toBe('cancelled');
      expect((await show(`order=${order}`)).response.status).toBe(302);
    });

    it.each(['', 'order=', 'order=1', `order=${randomUUID()}`])(
      'does not know “%s”',
      async (query) => {
        const { response, html } = await show(query);
        expect(response.status).toBe(404);
        expect(html).not.toContain('name="cardNumber"');
      },
    );

    it('does not exist in live mode, nor does the gateway behind it', async () => {
      const live = makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } });
      const { order, send, transaction } = await checkout();
      expect((await show(`order=${order}`, live)).response.status).toBe(404);
      expect((await send({ ...goodCard, intent: 'pay' }, live)).status).toBe(404);
      expect((await live.request('/lab/gateway/v1/checkout', { method: 'POST' })).ok).toBe(false);
      expect((await transaction()).status).toBe('created');
    });

    it('shows Processing for as long as it is told, also without scripts', async () => {
      const slow = await makeTestPlatform({
        variables: { GATEWAY_PROCESSING_MS: '3000', PORT: String(platform.config.port) },
        database: { db: platform.db, pool: platform.pool, url: platform.url },
      });
      const slowApp = makeTestApp(slow);
      const { order, send } = await checkout();
      await send({ ...goodCard, intent: 'pay' }, slowApp);
      const { response, html } = await show(`order=${order}&processing=yes`, slowApp);
      expect(response.status).toBe(200);
      expect(html).toContain('Processing');
      expect(html).toMatch(/<noscript><meta[^>]*content="3;url=\/mock-gpay-payment\?order=/);
    });
  });
});

describe('paypal approval', async () => {
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
});
