import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { returnAddresses } from '~/features/payment/settlement/begin.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { goodCard } from '../../../test/purchases.ts';
import { resultVisits } from '~/features/application/testing/result-visits.ts';
import { makeApplication } from '../../../test/make.ts';

const {
  app,
  cancel,
  comeBack,
  expectPaidOnce,
  expectUnpaid,
  checkoutRedirectOf,
  page,
  pay,
  payer,
  place,
  platform,
  secondWindow,
  service,
  start,
  stateOf,
} = await resultVisits();

describe('/payment-success', () => {
  it('shows number, receipt, transaction and promise from the database', async () => {
    const order = await place();
    const result = await comeBack(await pay(await start(order)));
    const lies = `${result}&transaction=FORGED&test=no&customer=Mallory`;
    const { h1, html, text, caching } = await page(lies);
    expect(caching).toBe('no-store');
    expect(h1).toBe('Thank you, Thabo. We’ve received your payment.');
    expect(text).toContain(order.number);
    expect(html).toContain('Payment received');
    expect(html).toContain('Processing: Standard');
    expect(html).toContain('$94.00');
    expect(html).toMatch(
      /<strong>\w+ \d+ \w+ \d{4}, \d\d:\d\d UTC<\/strong> \(\d\d:\d\d in Türkiye\)/,
    );
    expect(html).toContain('thabo@example.org');
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
    expect((await page(result)).html).toContain('We’ll refund the second payment in full');
    await service.runJobs();
    expect(await stateOf(first)).toBe('refunded');
    expect((await page(result)).html).toContain('We’ve refunded the second payment in full');
    await expectPaidOnce(order);
  });

  it('tells a second window that the order is paid, and starts no payment there', async () => {
    const order = await place();
    const address = await checkoutRedirectOf(order);
    const [first] = (await attemptsByReference(platform.db, order.number)).map(({ id }) => id);
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
    expect(h1).toBe('Thank you, Thabo. We’ve received your payment.');
    await expectPaidOnce(order);
  });

  it('shows “confirming” while the provider has not decided, and reloads', async () => {
    const order = await place();
    const attempt = await start(order);
    const { returnUrl } = returnAddresses(platform, 'card', { attemptId: attempt, language: null });
    const back = await page(returnUrl.replace(platform.config.publicUrl, ''));
    const { h1, html } = await page(back.location ?? '');
    expect(h1).toBe('We’re confirming your payment');
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
    expect((await page(location ?? '')).h1).toBe('Your payment is not finished');
  });

  it.each(['', '?order=TRV0000000000000', `?payment=${randomUUID()}`, '?payment=x'])(
    'has no payment to show for %s, which is no error',
    async (query) => {
      const { location } = await page(`/payment-success${query}`);
      expect((await page(location ?? '')).h1).toBe('No payment to show');
    },
  );

  it('uses the order’s language when the browser has no saved choice', async () => {
    const { order } = await makeApplication(platform, { paid: false, language: 'de' });
    const result = await comeBack(await pay(await start(order)));
    expect((await page(result)).location).toBe(`/de${result}`);
    const chosen = await page(result, 'preferred-language=fr');
    expect(chosen.status).toBe(200);
    expect(chosen.html).toContain('lang="fr"');
  });

  /** The address that a browser is redirected to after Pay or Cancel on a lab page, for an order in Arabic. */
  const paidFrom = async (path: string, acceptLanguage: string, way: 'pay' | 'cancel') => {
    const placed = await makeApplication(platform, {
      paid: false,
      language: 'ar',
      sessionHash: payer.sessionHash,
    });
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
    const [attempt] = await attemptsByReference(platform.db, placed.order.number);
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

describe('a browser that only knows the number', () => {
  /** What the page and its data request say. */
  const everywhere = async (path: string, headers: Record<string, string> = {}) => {
    const html = await (await app.request(path, { headers })).text();
    const asData = { ...headers, accept: 'application/json' };
    return html + (await (await app.request(path, { headers: asData })).text());
  };
  const personal =
    /Thabo|Naidoo|example\.org|555.?0100|A01234547|1984|Nomsa|Sipho|Durban|not enough money/i;

  it('sees nothing personal of a paid order', async () => {
    const order = await place();
    const result = await comeBack(await pay(await start(order)));
    expect(await everywhere(result, { cookie: payer.cookie })).toMatch(/Thank you, Thabo/);
    // A request with the payer's address names the attempt too.
    for (const path of [result, `/payment-success?order=${order.number}`]) {
      const shown = await everywhere(path);
      expect(shown).toContain('Thank you. We’ve received your payment');
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
    expect(own).toContain('There is not enough money in the account for this card.');
    for (const path of [result, `/payment-cancel?order=${order.number}`]) {
      const shown = await everywhere(path);
      expect(shown).toContain('Your payment is not finished');
      expect(shown).not.toMatch(personal);
      expect(shown).not.toContain('insufficient_funds');
    }
  });
});
