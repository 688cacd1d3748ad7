import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { closeOrder, type Order } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/store.server.ts';
import { placeApplication } from '../../../test/applications.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { declinedCard, goodCard, purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { payer, place, start, pay, cancel, comeBack, stateOf, expectUnpaid, expectPaidOnce } =
  purchases(service);
const HOUR = 3600_000;

/** What the payer sees: the data for the scripts stands behind it. */
async function page(path: string, cookie = '') {
  const response = await app.request(path, { headers: { cookie: `${payer.cookie}; ${cookie}` } });
  const html = (await response.text()).split('window.__reactRouterContext')[0] ?? '';
  return {
    status: response.status,
    location: response.headers.get('location'),
    caching: response.headers.get('cache-control'),
    h1: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1],
    html: html.replaceAll('<!-- -->', ''),
    // Without links, which carry the query on to other languages.
    text: html.replaceAll(/<[^>]*>/g, ''),
  };
}

/** A second attempt as a second window makes it once the first is half an hour old. */
async function secondWindow(order: Order): Promise<string> {
  platform.clock.advance(31 * 60_000);
  return start(order);
}

async function handoverOf(order: Order): Promise<string> {
  const answer = await app.request('/pay', {
    method: 'POST',
    headers: { origin: 'http://localhost', cookie: payer.cookie },
    body: new URLSearchParams({ order: order.number }),
  });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

describe('POST /pay', () => {
  it('leads to the redirect page, whose form holds what the provider signed up for', async () => {
    const order = await place();
    const address = await handoverOf(order);
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
    expect(await handoverOf(order)).toBe(`/payment-success?order=${order.number}`);
  });

  it('leads to the screen with a retry when the gateway does not answer', async () => {
    const order = await place();
    await service.goAway();
    const address = await handoverOf(order);
    expect(address).toBe(`/payment-cancel?order=${order.number}`);
    const first = await page(address);
    expect(first.html).toContain('Retry attempts: 0 of 3');
    for (let press = 0; press < 3; press++) await handoverOf(order);
    const last = await page(address);
    await service.comeBack();
    expect(last.html).toContain('Retry attempts: 3 of 3');
    expect(last.html).toMatch(/<button disabled=""[^>]*>/);
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
    expect(await attemptsFor(platform.db, order.number)).toHaveLength(1);
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

  it('hands nothing over an hour later', async () => {
    const address = await handoverOf(await place());
    platform.clock.advance(HOUR + 1000);
    expect((await page(address)).status).toBe(400);
  });

  it('leads on to the result once the attempt is decided', async () => {
    const order = await place();
    const address = await handoverOf(order);
    const attempt = await start(order);
    await comeBack(await pay(attempt));
    const { location } = await page(address);
    expect(location).toMatch(/^\/payment-success\?/);
    expect(location).toContain(attempt);
  });
});

describe('/payment-success', () => {
  it('shows number, receipt, transaction and promise from the database', async () => {
    const order = await place();
    const result = await comeBack(await pay(await start(order)));
    const lies = `${result}&transaction=FORGED&test=no&customer=Mallory`;
    const { h1, html, text, caching } = await page(lies);
    expect(caching).toBe('no-store');
    expect(h1).toBe('Thank you, Sofía. We have started.');
    expect(text).toContain(order.number);
    expect(html).toContain('Payment received');
    expect(html).toContain('Standard processing');
    expect(html).toContain('$94.00');
    expect(html).toMatch(
      /<strong>\w+ \d+ \w+ \d{4}, \d\d:\d\d UTC<\/strong> \(\d\d:\d\d UTC\+3 in Türkiye\)/,
    );
    expect(html).toContain('sofia.hernandez@correo.example');
    expect(html).toContain(`href="/status?ref=${order.number}"`);
    expect(html).toContain('This was a test payment.');
    expect(text).not.toMatch(/FORGED|Mallory/);
  });

  it('shows a test page’s claims as a test, and as nothing else', async () => {
    const claims = 'test=true&transaction=mock_123&order=LAB-1&payment=completed';
    const { h1, html, text } = await page(`/payment-success?${claims}`);
    expect(h1).toBe('Test payment successful');
    expect(text).toContain('mock_123');
    expect(html).toContain('href="/status?ref=LAB-1"');
    const rude = await page('/payment-success?test&transaction=Call%20us%20at%20555&order=<b>x');
    expect(rude.h1).toBe('Test payment successful');
    expect(rude.text).not.toMatch(/555|Call us/);
  });

  it('tells who paid twice that the second payment goes back, and afterwards that it went', async () => {
    const order = await place();
    const [first, second] = [await start(order), await secondWindow(order)];
    const late = await pay(first);
    await comeBack(await pay(second));
    const result = await comeBack(late);
    expect(await stateOf(first)).toBe('captured_late');
    expect((await page(result)).html).toContain('The second payment goes back to you in full.');
    await service.runJobs();
    expect(await stateOf(first)).toBe('refunded');
    expect((await page(result)).html).toContain('has been given back in full');
    await expectPaidOnce(order);
  });

  it('tells a window that another one has paid, and hands nothing over there', async () => {
    const order = await place();
    const address = await handoverOf(order);
    const [first] = (await attemptsFor(platform.db, order.number)).map(({ id }) => id);
    await comeBack(await pay(await secondWindow(order)));
    const { location } = await page(address);
    expect(location).toContain(`payment=${first}`);
    const { html } = await page(location ?? '');
    expect(html).toContain('Paid in another window');
    await expectPaidOnce(order);
  });

  it('asks the provider when the return was lost, and then confirms', async () => {
    const order = await place();
    const attempt = await start(order);
    await pay(attempt);
    const { h1 } = await page(`/payment-success?payment=${attempt}&order=${order.number}`);
    expect(h1).toBe('Thank you, Sofía. We have started.');
    await expectPaidOnce(order);
  });

  it('is “confirming” while the provider has not decided, and looks again by itself', async () => {
    const order = await place();
    const attempt = await start(order);
    const { h1, html } = await page(`/payment-success?payment=${attempt}&order=${order.number}`);
    expect(h1).toBe('We are confirming your payment.');
    expect(html).toMatch(
      /<noscript><meta[^>]*http-equiv="refresh"|<noscript><meta[^>]*httpEquiv="refresh"/i,
    );
    expect(html).not.toContain('Payment received');
    await expectUnpaid(order);
  });

  it('claims nothing for an order that was never paid', async () => {
    const order = await place();
    const { location } = await page(`/payment-success?order=${order.number}&payment=completed`);
    expect(location).toBe(`/payment-cancel?order=${order.number}`);
    expect((await page(location ?? '')).h1).toBe('The payment is not finished.');
  });

  it.each(['', '?order=TRV0000000000000', `?payment=${randomUUID()}`, '?payment=x'])(
    'knows nothing of %s',
    async (query) => {
      const { location } = await page(`/payment-success${query}`);
      expect(location).toBe('/payment-cancel?status=error');
    },
  );

  it('speaks the order’s language when the browser comes back without a choice', async () => {
    const { order } = await placeApplication(platform, { language: 'de' });
    const result = await comeBack(await pay(await start(order)));
    expect((await page(result)).location).toBe(`/de${result}`);
    const chosen = await page(result, 'preferred-language=fr');
    expect(chosen.status).toBe(200);
    expect(chosen.html).toContain('lang="fr"');
  });

  /** Where a browser is led that pressed Pay on a page in `shown`, of an order in Arabic. */
  const paidFrom = async (path: string, acceptLanguage: string, way: 'pay' | 'cancel') => {
    const placed = await placeApplication(platform, { language: 'ar' }, payer.sessionHash);
    const pressed = await app.request(path, {
      method: 'POST',
      headers: {
        origin: 'http://localhost',
        cookie: payer.cookie,
        'accept-language': acceptLanguage,
      },
      body: new URLSearchParams({ order: placed.order.number }),
    });
    expect(pressed.status).toBe(302);
    const [attempt] = await attemptsFor(platform.db, placed.order.number);
    return comeBack(await { pay, cancel }[way](attempt?.id ?? ''));
  };

  it.each([
    ['/pay', 'en-GB', 'en'],
    ['/de/pay', 'en-GB', 'de'],
    ['/pay', 'fr', 'fr'],
  ])('goes on in the language that %s was shown in (%s): %s', async (path, accepts, language) => {
    for (const way of ['pay', 'cancel'] as const) {
      const result = await paidFrom(path, accepts, way);
      expect(result).toMatch(new RegExp(`^/${language}/payment-(success|cancel)\\?`));
      const shown = await page(result);
      expect(shown.status).toBe(200);
      expect(shown.html).toContain(`lang="${language}"`);
    }
  });

  it('goes on in Arabic where the order was paid in Arabic', async () => {
    const result = await paidFrom('/ar/pay', 'en-GB', 'pay');
    expect(result).toMatch(/^\/payment-success\?/);
    expect((await page(result)).location).toBe(`/ar${result}`);
  });
});

describe('who only knows the number', () => {
  /** The page, and what its scripts fetch. */
  const everywhere = async (path: string, headers: Record<string, string> = {}) => {
    const html = await (await app.request(path, { headers })).text();
    return html + (await (await app.request(path.replace('?', '.data?'), { headers })).text());
  };
  const personal =
    /Sof[íi]|Hern[áa]ndez|correo\.example|525512345678|G38215640|1990|Elena|Luis|Puebla|not enough money/i;

  it('sees nothing personal of a paid order', async () => {
    const order = await place();
    const result = await comeBack(await pay(await start(order)));
    expect(await everywhere(result, { cookie: payer.cookie })).toMatch(/Thank you, Sofía/);
    // Whoever was shown the payer's address names the attempt as well.
    for (const path of [result, `/payment-success?order=${order.number}`]) {
      const shown = await everywhere(path);
      expect(shown).toContain('Thank you. We have started.');
      expect(shown).not.toMatch(personal);
    }
  });

  it('sees nothing personal of one that waits or was declined, and not why', async () => {
    const order = await place();
    const attempt = await start(order);
    expect(await everywhere(`/payment-success?order=${order.number}`)).not.toMatch(personal);
    const poor = { ...goodCard, cardNumber: '4000 0000 0000 9995' };
    const result = await comeBack(await pay(attempt, poor));
    const own = await everywhere(result, { cookie: payer.cookie });
    expect(own).toContain('There is not enough money on the card.');
    for (const path of [result, `/payment-cancel?order=${order.number}`]) {
      const shown = await everywhere(path);
      expect(shown).toContain('The payment is not finished.');
      expect(shown).not.toMatch(personal);
      expect(shown).not.toContain('insufficient_funds');
    }
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
    expect(await handoverOf(order)).toMatch(/^\/gpay-checkout/);
  });

  it.each([
    ['4000 0000 0000 0002', 'Payment Declined', 'The bank declined the card.'],
    ['4000 0000 0000 9995', 'Payment Declined', 'There is not enough money on the card.'],
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
    for (const shown of [reason, 'mock_9', 'LAB-7', 'Nothing of it is stored.']) {
      expect(text).toContain(shown);
    }
    expect(html).toContain('Return to Home');
    expect(html).toContain('Try Again');
  });

  it.each([
    ['reason=insufficient_funds', 'Payment Failed', 'There is not enough money on the card.'],
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
    expect(text).not.toContain('application is saved');
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
    expect(await handoverOf(order)).toBe(location);
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
