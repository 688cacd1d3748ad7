import { beforeAll, expect, test } from 'vitest';
import { orderByNumber } from '~/features/order/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decide } from '../application/decide.server.ts';
import { refundOrder } from './refunds.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeOrder, makePayment, seedSales } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform({ now: NOW });
const app = makeTestApp(platform);
const manager = await storeStaff(platform, { role: 'manager' });
const page = async (path: string) =>
  (await app.request(path, { headers: { cookie: manager.cookie } })).text();

beforeAll(() => seedSales(platform));

/** The travellers for whose lines the proposal has an amount. */
const proposed = (html: string): string[] =>
  [
    ...html.matchAll(
      /dir="ltr">(TR[VI][0-9A-Z]{13})<\/bdi>(?:<!-- -->)? (?:<!-- -->)?<bdi>([^<]*)/g,
    ),
  ]
    .filter(
      ({ index }) => html.lastIndexOf('field-hint', index) > html.lastIndexOf('check-row', index),
    )
    .map(([, number = '']) => number);

test('the refund form offers each traveller as a whole, one application alone, and nobody who left', async () => {
  const { order, visas, insurances } = await makeOrder(platform, {
    travellers: [
      { firstName: 'Anna', plan: '30-days' },
      { firstName: 'Bela' },
      { firstName: 'Carl' },
    ],
  });
  const [anna, bela, carl] = visas.map(({ number }) => number);
  const ofAnna = needed(insurances.get(1)).number;
  const gone = needed(visas[2]);
  await decide(platform, manager, { kind: 'reject', applicationId: gone.id, code: 'duplicate' });
  await makePayment(platform, order);
  const address = `/admin/orders/${order.number}`;
  const form = await page(address);
  expect(form).toContain('Travellers');
  expect(form).toMatch(
    /<input[^>]*type="checkbox"[^>]*name="traveller"[^>]*checked=""[^>]*value="1"/,
  );
  expect(form).toMatch(new RegExp(`name="app"[^>]*checked=""[^>]*value="${bela}"`));
  expect(form).not.toMatch(new RegExp(`name="app"[^>]*value="${carl}"`));

  const asked = (chosen: string) => page(`${address}?cause=visa_refused&asked=&${chosen}`);
  expect(new Set(proposed(await asked('traveller=1')))).toEqual(new Set([anna, ofAnna]));
  expect(new Set(proposed(await asked(`app=${ofAnna}`)))).toEqual(new Set([ofAnna]));
  expect(new Set(proposed(await asked(`app=${bela}&app=${anna}`)))).toEqual(new Set([anna, bela]));
});

test('the total of what goes back is that of the lines, also while the refund is on its way', async () => {
  const { order, visas } = await makeOrder(platform, {
    travellers: [{ firstName: 'Dora' }, { firstName: 'Emil' }],
  });
  await makePayment(platform, order);
  const paid = needed(await orderByNumber(platform.db, order.number));
  const choice = {
    cause: 'our_error',
    askedAt: platform.now(),
    applications: [needed(visas[0]).number],
  } as const;
  expect(await refundOrder(platform, manager, paid, { choice })).toMatchObject({ ok: true });
  const html = await page(`/admin/orders/${order.number}`);
  const [table = ''] = /<table[^>]*desk-table.*?<\/table>/s.exec(html) ?? [];
  const amounts = [
    ...table.matchAll(/<td(?: data-testid="claimed")?>(?:\$([\d.]+)|–)<\/td><\/tr>/g),
  ];
  const back = amounts.map(([, amount = '0']) => Number(amount));
  const total = back.pop();
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(back.reduce((sum, amount) => sum + amount, 0));
});
