import { describe, expect, it } from 'vitest';
import { providerNames } from '~/base/payment-providers.ts';
import { orderToPay } from '~/features/form/save-sent.server.ts';
import { isDecided, isOpen, isPaid, paymentStates } from '~/features/payment/machine.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { startTestService } from '../../../test/service.ts';
import { payRefusal } from './may-pay.ts';
import type { Order } from './store.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { paymentLimits } from './checkout.server.ts';

const { platform, payments } = await startTestService({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform, payments);
const payer = newBrowser(platform);
let visitor = 0;

/** From an address of its own, because each has a limit. */
const ask = (path: string, { headers = {}, ...init }: RequestInit = {}) => {
  visitor += 1;
  const all = new Headers(headers);
  all.set('x-forwarded-for', `198.51.${visitor >> 8}.${visitor & 255}`);
  all.set('cookie', payer.cookie);
  return app.request(path, { ...init, headers: all });
};

/** The page at the end of redirects, without the data for its scripts. */
async function page(path: string): Promise<string> {
  const response = await ask(path);
  const location = response.headers.get('location');
  if (location) return page(location);
  return (await response.text()).split('<script id="page-data"')[0] ?? '';
}

/** A button that pays: of `/pay`, or of a form's own page. */
const offersPay = (html: string) =>
  html.includes('action="/pay"') ||
  /<button(?:(?!<\/button>).)*>(?:(?!<\/button>).)*(Pay |Try Again|Retry)/s.test(html);

const pages = {
  visa: [
    ({ number }: Order) => `/status?ref=${number}`,
    ({ number }: Order) => `/payment-cancel?order=${number}`,
    ({ number }: Order) => `/payment-success?order=${number}`,
  ],
  insurance: [
    ({ number }: Order) => `/status?ref=${number}`,
    ({ number }: Order) => `/insurance/payment?ref=${number}`,
    ({ number }: Order) => `/payment-cancel?order=${number}`,
  ],
} as const;

const call = (path: string, { number }: Order) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '94.00', orderReference: number }),
  });

// Of a paid order the pages are others.
const unpaid = paymentStates.filter((state) => !isPaid(state));
const situations = unpaid.flatMap((state) => [
  { state, isBack: false },
  ...(isOpen(state) ? [{ state, isBack: true }] : []),
]);
const cases = situations.flatMap((situation) =>
  (['payer', 'guest'] as const).map((begunBy) => ({ ...situation, begunBy })),
);

describe.each(cases)('beside an attempt of the $begunBy that is $state (back: $isBack)', (one) => {
  const { state, isBack, begunBy } = one;
  const placed = async (kind: 'visa' | 'insurance', provider: (typeof providerNames)[number]) => {
    const { order } = await makeApplication(platform, {
      paid: false,
      kind,
      sessionHash: payer.sessionHash,
    });
    const at = platform.now();
    await platform.db.transaction((tx) =>
      storeAttempt(tx, order, at, {
        provider,
        state,
        begunBy,
        cameBackAt: isBack ? at : null,
        askAt: isDecided(state) ? null : new Date(at.getTime() + 3600_000),
      }),
    );
    const rule = payRefusal(order, await attemptsByReference(platform.db, order.number));
    return { order, rule };
  };

  it.each(['visa', 'insurance'] as const)(
    'every page of one %s offers Pay or asks to wait',
    async (kind) => {
      for (const provider of providerNames) {
        const { order, rule } = await placed(kind, provider);
        for (const path of pages[kind]) {
          const html = await page(path(order));
          expect([path(order), offersPay(html)]).toEqual([path(order), rule === null]);
          expect(html.includes('Do not pay again')).toBe(rule !== null);
          const isHeld = html.includes('can take hours, sometimes days');
          expect(isHeld).toBe(rule === 'held');
        }
        expect((await orderToPay(platform, order.number)) !== null).toBe(rule === null);
      }
    },
  );

  it('every start is accepted or refused with its code', async () => {
    const before = await placed('visa', 'paypal');
    for (const path of ['/api/payment/create', '/paypal/order']) {
      const answer = await call(path, before.order);
      if (before.rule === null) expect(answer.status).toBe(200);
      else {
        expect(answer.status).toBe(409);
        expect(await answer.json()).toMatchObject({
          code: 'payment_confirming',
          reason: before.rule,
          success: false,
        });
      }
    }
    const pressed = await placed('visa', 'card');
    const answer = await ask('/pay', {
      method: 'POST',
      headers: { origin: 'http://localhost' },
      body: new URLSearchParams({ order: pressed.order.number }),
    });
    const to = answer.headers.get('location') ?? '';
    expect(to.startsWith('/gpay-checkout')).toBe(pressed.rule === null);
    if (pressed.rule !== null) expect(await page(to)).toContain('We’re confirming your payment');
  });

  it('the application is opened for change or not', async () => {
    const { order, rule } = await placed('visa', 'stripe');
    const html = await page(`/application/change?ref=${order.number}`);
    expect(html.includes('name="intent"')).toBe(rule === null);
  });
});

describe('start limit', async () => {
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
      (await makeApplication(platform, { paid: false, kind, sessionHash: payer.sessionHash }))
        .order;
    const countAttempts = async ({ number }: Order) =>
      (await attemptsByReference(platform.db, number)).length;

    it('starts the twentieth payment of an order in ten minutes, and not the next', async () => {
      const order = await place();
      await paymentLimits(platform).order.consume(order.number, 19);
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
      await paymentLimits(platform).order.consume(`guest:${order.number}`, 20);
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
});
