import { afterEach, describe, expect, it } from 'vitest';
import { noteStart } from '~/features/payment/providers/outage.server.ts';
import { attemptById, attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { newBrowser } from '../../../../test/browser.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { declinedCard, purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { payerLink, isPayer, purgePayerDevices } from './payer.server.ts';
import { payerSessionHash } from './session.server.ts';
import { orderByNumber, type Order } from '../store.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { payer, place, pay, cancel, comeBack, stateOf, expectPaidOnce } = purchases(service);
const START = platform.now();
afterEach(() => platform.clock.set(START));
const NOBODY = { cookie: '' };
const personal = /Thabo|Naidoo|example\.org/i;

type Browser = { cookie: string };

/** Presses Pay with the number; returns the redirect, the attempt, and the browser with its cookie. */
async function press(order: Order, { cookie }: Browser) {
  const known = new Set((await attemptsByReference(platform.db, order.number)).map(({ id }) => id));
  const answer = await app.request('/pay', {
    method: 'POST',
    headers: { origin: 'http://localhost', cookie },
    body: new URLSearchParams({ order: order.number }),
  });
  const given = answer.headers.get('set-cookie')?.split(';')[0];
  const made = (await attemptsByReference(platform.db, order.number)).find(
    ({ id }) => !known.has(id),
  );
  return {
    address: answer.headers.get('location') ?? '',
    made: made?.id ?? null,
    browser: { cookie: given ?? cookie },
  };
}

const open = (path: string, { cookie }: Browser, accept = 'text/html') =>
  app.request(path, { headers: { cookie, accept } });

const read = async (path: string, browser: Browser) => {
  const page = await (await open(path, browser)).text();
  return page + (await (await open(path, browser, 'application/json')).text());
};

const cancelUrlIn = (html: string) =>
  (/name="cancelUrl" value="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

describe('who knows the number and is not the payer', () => {
  it('pays by an attempt of his own, which names nobody, and the payer keeps hers', async () => {
    const order = await place();
    const hers = await press(order, payer);
    const his = await press(order, NOBODY);
    expect(his.made).not.toBeNull();
    const form = await read(his.address, his.browser);
    expect(form).toContain('name="signature"');
    expect(form).not.toMatch(personal);
    expect(await read(hers.address, payer)).toMatch(personal);
    // Each browser continues its own attempt.
    expect((await press(order, payer)).made).toBeNull();
    expect((await press(order, his.browser)).made).toBeNull();
    // A third browser gets an attempt of its own.
    expect((await press(order, NOBODY)).made).not.toBeNull();
  });

  it('cancels nothing of hers', async () => {
    const order = await place();
    const hers = needed((await press(order, payer)).made);
    const his = await press(order, NOBODY);
    const address = cancelUrlIn(await read(his.address, his.browser));
    await comeBack(address);
    expect(await stateOf(needed(his.made))).toBe('cancelled');
    expect(await stateOf(hers)).toBe('redirected');
  });

  it('is not handed hers by its address', async () => {
    const { address } = await press(await place(), payer);
    for (const browser of [NOBODY, newBrowser(platform)]) {
      expect((await open(address, browser)).status).toBe(400);
      expect(await read(address, browser)).not.toMatch(personal);
    }
  });

  it('pays the order, and sees afterwards that it is paid and by what', async () => {
    const order = await place();
    const hers = needed((await press(order, payer)).made);
    const his = await press(order, NOBODY);
    const result = await comeBack(await pay(needed(his.made)));
    await expectPaidOnce(order);
    const shown = await read(result, his.browser);
    expect(shown).toContain('Payment received');
    expect(shown).not.toMatch(personal);
    expect(await read(`/payment-success?order=${order.number}`, payer)).toMatch(personal);
    // The payer's own attempt, captured as well, is refunded.
    await comeBack(await pay(hers));
    expect(await stateOf(hers)).toBe('captured_late');
    await expectPaidOnce(order);
  });

  it('marks nothing of hers by failing, and uses none of her retries up', async () => {
    const order = await place();
    const his = await press(order, NOBODY);
    await comeBack(await pay(needed(his.made), declinedCard));
    const status = await read(`/status?ref=${order.number}`, payer);
    expect(status).not.toContain('Try again: pay');
    await service.goAway();
    for (let count = 0; count < 5; count += 1) await press(order, NOBODY);
    await service.comeBack();
    await noteStart(platform, 'card');
    expect((await orderByNumber(platform.db, order.number))?.failedStarts).toBe(0);
  });

  it('takes none of her starts away', async () => {
    const order = await place();
    for (let count = 0; count < 21; count += 1) await press(order, NOBODY);
    expect((await press(order, NOBODY)).address).toBe('');
    expect((await press(order, payer)).address).toMatch(/^\/gpay-checkout/);
  });
});

describe('who knows an attempt’s id alone', () => {
  it('learns nothing by it, not even the order’s number', async () => {
    const order = await place();
    const { made } = await press(order, payer);
    for (const page of ['payment-success', 'payment-cancel']) {
      const shown = await read(`/${page}?payment=${made}`, NOBODY);
      expect(shown).not.toContain(order.number);
      expect(shown).not.toMatch(personal);
    }
    await comeBack(await cancel(needed(made)));
    expect(await read(`/payment-cancel?payment=${made}`, payer)).toContain(order.number);
    expect(await read(`/payment-cancel?payment=${made}`, NOBODY)).not.toContain(order.number);
  });
});

describe('the payer’s link', () => {
  const pathOf = (order: Order) =>
    payerLink(platform, order).replace(platform.config.publicUrl, '');

  it('makes another device the payer, and leads to the status with Pay', async () => {
    const order = await place();
    const hers = await press(order, payer);
    const answer = await open(pathOf(order), NOBODY);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`/en/status?ref=${order.number}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const phone = { cookie: needed(answer.headers.get('set-cookie')?.split(';')[0]) };
    const request = new Request('http://localhost/', { headers: phone });
    const hash = payerSessionHash(platform, request);
    expect(await isPayer(platform.db, hash, order)).toBe(true);
    expect(await isPayer(platform.db, newBrowser(platform).sessionHash, order)).toBe(false);
    // It continues the attempt begun in the payer's other browser.
    expect((await press(order, phone)).made).toBeNull();
    expect(await read(hers.address, phone)).toMatch(personal);
    expect(await read(hers.address, payer)).toMatch(personal);
    // The link does not open another order of the same payer.
    expect(await isPayer(platform.db, hash, await place())).toBe(false);
  });

  it('changes nothing but for who opened it, and is opened as often as one likes', async () => {
    const order = await place();
    const before = await orderByNumber(platform.db, order.number);
    for (let count = 0; count < 3; count += 1) {
      expect((await open(pathOf(order), payer)).status).toBe(302);
      expect((await open(pathOf(order), NOBODY)).status).toBe(302);
    }
    expect(await orderByNumber(platform.db, order.number)).toEqual(before);
    expect(await attemptsByReference(platform.db, order.number)).toEqual([]);
  });

  it('uses the order’s language, expires after 30 days, and cannot be forged', async () => {
    const { order } = await makeApplication(platform, { paid: false, language: 'de' });
    const path = pathOf(order);
    expect(path).toMatch(/^\/de\/my-order\/[\w.-]+$/);
    const forged = [
      `${path}x`,
      path.replace(/\.[^.]+$/, ''),
      `/my-order/${order.number}`,
      `/my-order/${platform.signer.sign({ orderId: order.id }, 'receipt', new Date('2999-01-01'))}`,
    ];
    for (const address of forged) {
      const answer = await open(address, NOBODY);
      expect(answer.status).toBe(410);
      expect(answer.headers.get('set-cookie') ?? '').not.toContain('lale_session');
    }
    platform.clock.advance(30 * 24 * 3600_000 + 1000);
    const late = await open(path, NOBODY);
    expect(late.status).toBe(410);
    expect(await late.text()).toContain('Dieser Link funktioniert nicht mehr');
  });

  it('deletes its devices a year later', async () => {
    const order = await place();
    const answer = await open(pathOf(order), NOBODY);
    const cookie = needed(answer.headers.get('set-cookie')?.split(';')[0]);
    const hash = payerSessionHash(
      platform,
      new Request('http://localhost/', { headers: { cookie } }),
    );
    platform.clock.advance(366 * 24 * 3600_000);
    await purgePayerDevices(platform.db, platform.now());
    expect(await isPayer(platform.db, hash, order)).toBe(false);
  });
});

describe('the session', () => {
  it('is not the one that somebody planted', async () => {
    const planted = { cookie: 'lale_session=planted-by-a-neighbour' };
    const request = new Request('http://localhost/', { headers: planted });
    expect(payerSessionHash(platform, request)).toBeNull();
    const order = await place();
    const { browser, made } = await press(order, planted);
    expect(browser.cookie).toMatch(/^lale_session=/);
    expect(browser.cookie).not.toBe(planted.cookie);
    const attempt = needed(await attemptById(platform.db, needed(made)));
    const own = new Request('http://localhost/', { headers: browser });
    expect(attempt.sessionHash).toEqual(payerSessionHash(platform, own));
  });
});
