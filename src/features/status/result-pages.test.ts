import { describe, expect, it } from 'vitest';
import { closeOrder } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { declinedCard, goodCard } from '../../../test/purchases.ts';
import { resultVisits } from '~/features/application/testing/result-visits.ts';

const {
  HOUR,
  app,
  cancel,
  comeBack,
  expectUnpaid,
  checkoutRedirectOf,
  page,
  pay,
  payer,
  place,
  platform,
  service,
  start,
  stateOf,
} = await resultVisits();

describe('POST /pay', () => {
  it('leads to the redirect page, whose form holds what the provider signed up for', async () => {
    const order = await place();
    const address = await checkoutRedirectOf(order);
    expect(address).toMatch(/^\/gpay-checkout\?data=/);
    expect(decodeURIComponent(address)).not.toContain('sofia');
    const { html, caching } = await page(address);
    expect(caching).toBe('no-store');
    expect(html).toContain(`action="${platform.config.publicUrl}/lab/gateway/v1/checkout"`);
    expect(html).toMatch(/<input type="hidden" name="signature" value="[^"]{100,}"/);
    expect(html).toContain('Continue to payment');
  });

  it('leads a paid order to its confirmation', async () => {
    const order = await place();
    await comeBack(await pay(await start(order)));
    expect(await checkoutRedirectOf(order)).toBe(`/payment-success?order=${order.number}`);
  });

  it('leads to the screen with a retry when the gateway does not answer', async () => {
    const order = await place();
    await service.goAway();
    const address = await checkoutRedirectOf(order);
    expect(address).toBe(`/payment-cancel?order=${order.number}`);
    const first = await page(address);
    expect(first.html).toContain('Retry attempts: 0 of 3');
    for (let press = 0; press < 3; press++) await checkoutRedirectOf(order);
    const last = await page(address);
    await service.comeBack();
    expect(last.html).toContain('Retry attempts: 3 of 3');
    expect(last.html).toMatch(/<button[^>]* disabled=""/);
  });

  it('is limited for one order, and says so', async () => {
    const order = await place();
    const press = () =>
      app.request('/pay', {
        method: 'POST',
        headers: { origin: 'http://localhost', cookie: payer.cookie },
        body: new URLSearchParams({ order: order.number }),
      });
    const answers = [];
    for (let count = 0; count < 21; count++) answers.push(await press());
    expect(answers.slice(0, 20).every(({ status }) => status === 302)).toBe(true);
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last?.text()).toContain('Too many attempts');
    expect(await attemptsByReference(platform.db, order.number)).toHaveLength(1);
  });

  it('is refused from another site', async () => {
    const order = await place();
    const answer = await app.request('/pay', {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ order: order.number }),
    });
    expect(answer.status).toBe(403);
  });
});

describe('/gpay-checkout', () => {
  it.each(['', '?data=', '?data=nonsense', '?data=%7B%22attemptId%22%3A%221%22%7D'])(
    'without usable data (%s) says Payment Error',
    async (query) => {
      const { status, h1, html } = await page(`/gpay-checkout${query}`);
      expect(status).toBe(400);
      expect(h1).toBe('Payment Error');
      expect(html).toContain('Payment data missing or invalid');
      expect(html).not.toContain('name="signature"');
    },
  );

  it('no longer redirects to the provider an hour later', async () => {
    const address = await checkoutRedirectOf(await place());
    platform.clock.advance(HOUR + 1000);
    expect((await page(address)).status).toBe(400);
  });

  it('leads on to the result once the attempt is decided', async () => {
    const order = await place();
    const address = await checkoutRedirectOf(order);
    const attempt = await start(order);
    await comeBack(await pay(attempt));
    const { location } = await page(address);
    expect(location).toMatch(/^\/payment-success\?/);
    expect(location).toContain(attempt);
  });
});

describe('/payment-cancel', () => {
  it('after cancelling: no charges were made, and the same order can be paid', async () => {
    const order = await place();
    const result = await comeBack(await cancel(await start(order)));
    const { h1, html } = await page(`${result}&status=success`);
    expect(h1).toBe('Payment Cancelled');
    expect(html).toContain('No charges were made.');
    expect(html).toContain('Try Again');
    expect(html).toContain('href="/application"');
    expect(html).toContain('href="/"');
    expect(html).toContain(`href="/status?ref=${order.number}"`);
    expect(await checkoutRedirectOf(order)).toMatch(/^\/gpay-checkout/);
  });

  it.each([
    ['4000 0000 0000 0002', 'Payment Declined', 'The bank declined the card.'],
    [
      '4000 0000 0000 9995',
      'Payment Declined',
      'There is not enough money in the account for this card.',
    ],
    ['4000 0000 0000 0069', 'Payment Declined', 'The card has expired.'],
    ['4000 0000 0000 0119', 'Payment Failed', 'The payment partner could not process the card.'],
  ])('after %s: %s, with reason and references', async (cardNumber, title, reason) => {
    const order = await place();
    const attempt = await start(order);
    const result = await comeBack(await pay(attempt, { ...goodCard, cardNumber }));
    const { h1, html, text } = await page(`${result}&reason=forged&transaction=FORGED`);
    expect(h1).toBe(title);
    expect(html).toContain(reason);
    expect(text).toContain(order.number);
    expect(html).toMatch(/[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}/);
    expect(text).not.toMatch(/forged/i);
    await expectUnpaid(order);
  });

  it('after an attempt that expired', async () => {
    const order = await place();
    const attempt = await start(order);
    platform.clock.advance(26 * HOUR);
    const { html } = await page(`/payment-cancel?payment=${attempt}`);
    expect(await stateOf(attempt)).toBe('expired');
    expect(html).toContain('not completed in time');
  });

  it('of an order that is paid leads to the confirmation', async () => {
    const order = await place();
    const first = await start(order);
    await comeBack(await pay(first, declinedCard));
    await comeBack(await pay(await start(order)));
    const { location } = await page(`/payment-cancel?payment=${first}&order=${order.number}`);
    expect(location).toMatch(/^\/payment-success\?/);
  });

  it('knowing nothing is the error screen, with the system’s status', async () => {
    const { h1, html, text } = await page('/payment-cancel?status=error&transaction=FORGED');
    expect(h1).toBe('Payment Error');
    expect(html).toContain('An error occurred during payment processing');
    expect(html).toContain('Development');
    expect(text).not.toContain('FORGED');
  });

  it.each([
    ['cancelled', 'Payment Cancelled', 'You cancelled the payment.'],
    ['failed', 'Payment Failed', 'The bank declined the card.'],
  ])('shows what a test page says: %s', async (status, title, reason) => {
    const code = status === 'failed' ? 'card_declined' : 'cancelled_by_payer';
    const query = `status=${status}&transaction=mock_9&reason=${code}&orderReference=LAB-7`;
    const { h1, html, text } = await page(`/payment-cancel?${query}`);
    expect(h1).toBe(title);
    for (const shown of [reason, 'mock_9', 'LAB-7', 'None of it is saved.']) {
      expect(text).toContain(shown);
    }
    expect(html).toContain('Return to Home');
    expect(html).toContain('Try Again');
  });

  it.each([
    [
      'reason=insufficient_funds',
      'Payment Failed',
      'There is not enough money in the account for this card.',
    ],
    ['reason=cancelled_by_payer', 'Payment Cancelled', 'You cancelled the payment.'],
    ['reason=do_not_honour', 'Payment Failed', 'did not accept the payment. do_not_honour'],
    ['status=failed&reason=do_not_honour', 'Payment Failed', 'do_not_honour'],
  ])('shows the reason of an address: %s', async (query, title, reason) => {
    const { h1, text } = await page(`/payment-cancel?payment=mock_9&order=LAB-7&${query}`);
    expect(h1).toBe(title);
    expect(text).toContain(reason);
  });

  it.each(['<b>x</b>', 'Call 555 now', 'x'.repeat(65)])('shows no reason %s', async (reason) => {
    const { h1, text, html } = await page(`/payment-cancel?reason=${encodeURIComponent(reason)}`);
    expect(h1).toBe('Payment Error');
    expect(text).not.toContain(reason);
    expect(html).not.toContain('<b>x</b>');
  });

  it.each(['05/26', '10/26'])(
    'after a card that expired in %s: declined as expired',
    async (expiryDate) => {
      const order = await place();
      const result = await comeBack(await pay(await start(order), { ...goodCard, expiryDate }));
      const { h1, text } = await page(result);
      expect(h1).toBe('Payment Declined');
      expect(text).toContain('The card has expired.');
      await expectUnpaid(order);
    },
  );

  it('of a test payment speaks of no application', async () => {
    const cancelled = await app.request('/payment-mock', {
      method: 'POST',
      headers: { origin: 'http://localhost', cookie: payer.cookie },
      body: new URLSearchParams({ intent: 'cancel' }),
    });
    const { h1, text } = await page(await comeBack(cancelled.headers.get('location') ?? ''));
    expect(h1).toBe('Payment Cancelled');
    expect(text).toContain('This was a test payment');
    expect(text).not.toContain('saved your application');
  });

  it('repeats no sentence from an address', async () => {
    const query = 'status=failed&reason=Call+555+now&transaction=Call+555&orderReference=5 5 5';
    const { h1, text } = await page(`/payment-cancel?${query}`);
    expect(h1).toBe('Payment Failed');
    expect(text).not.toContain('555');
    expect(text).not.toContain('5 5 5');
  });

  it('of an order that was closed leads to its status, which says why and what to do', async () => {
    const order = await place();
    await platform.db.transaction((tx) => closeOrder(tx, order.number, platform.now()));
    const { location } = await page(`/payment-cancel?order=${order.number}`);
    expect(location).toBe(`/status?ref=${order.number}`);
    expect(await checkoutRedirectOf(order)).toBe(location);
    const { html } = await page(location ?? '');
    expect(html).toContain('This order is closed');
    expect(html).toContain('href="/application"');
    expect(html).not.toContain('action="/pay"');
  });

  it('failed shows on the status page, where the next try waits', async () => {
    const order = await place();
    await comeBack(await pay(await start(order), declinedCard));
    const failed = await page(`/status?ref=${order.number}`);
    expect(failed.html).toContain('Failed');
    expect(failed.html).toContain('Try again: pay $94.00');
    platform.clock.advance(1000);
    await start(order);
    const { html } = await page(`/status?ref=${order.number}`);
    expect(html).not.toContain('Try again: pay');
    expect(html).toContain('Pay $94.00');
  });
});
