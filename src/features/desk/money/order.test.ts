import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ok, refused } from '~/base/outcome.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundOrder } from './refunds.server.ts';
import { partner, quietProvider } from '~/features/payment/testing/refunds.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { advanceRefund } from '~/features/payment/settlement/refund.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeApplication, makeOrder, makePayment, seedSales } from '../../../../test/make.ts';
import { decideApplication } from '../application/decide.server.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '30.00' } });
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });

beforeAll(() => seedSales(platform));

const HOUR = 3_600_000;
const START = platform.now();
afterEach(() => platform.clock.set(START));
const get = (path: string, cookie = aydin.cookie) => app.request(path, { headers: { cookie } });
const page = async (path: string, cookie = aydin.cookie) => (await get(path, cookie)).text();

function post(path: string, fields: Record<string, string>, cookie = aydin.cookie) {
  return app.request(path, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(fields),
  });
}

/** The values that a page's form would send. */
function fieldsOf(html: string): Record<string, string> {
  const form =
    /<form[^>]*method="post"[\s\S]*?name="(?:refund|note|amount-[^"]*)"[\s\S]*?<\/form>/.exec(
      html.slice(html.indexOf('id="refund"')),
    )?.[0];
  const fields: Record<string, string> = {};
  for (const [tag] of (form ?? '').matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name) fields[name] = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  return fields;
}

const address = (number: string) => `/admin/orders/${number}`;
const asked = (number: string, cause = 'cancelled') =>
  `${address(number)}?${new URLSearchParams({ cause, asked: '', app: number })}`;
const storedRefunds = async (number: string) =>
  refundsByOrder(platform.db, needed(await orderByNumber(platform.db, number)).id);

describe('the cause of a missed promise', () => {
  const offer = 'value="missed_promise"';

  test('is offered once the promise is missed, not before, and gives nothing before', async () => {
    const promisedAt = new Date(platform.now().getTime() + HOUR);
    const { number } = await makeApplication(platform, { promisedAt });
    expect(await page(address(number))).not.toContain(offer);
    expect(await page(asked(number, 'missed_promise'))).toContain(
      'We have not missed the ready-by time',
    );
    const late = await makeApplication(platform, {
      promisedAt: new Date(platform.now().getTime() - HOUR),
    });
    expect(await page(address(late.number))).toContain(offer);
  });
});

describe('an order’s page', () => {
  test('that is not there, or not for this role, leads back to the queue', async () => {
    for (const [path, status] of [
      [address('TRV0000000000000'), 404],
      ['/admin/settings', 403],
      ['/admin/accounts', 403],
    ] as const) {
      const response = await get(path);
      expect(response.status).toBe(status);
      const html = await response.text();
      expect(html).toMatch(/<a [^>]*href="\/admin"[^>]*>(<span>)?Back to the queue/);
      expect(html).not.toContain('Application status');
    }
  });

  test('needs a session, is not kept, and is written down', async () => {
    const { number } = await makeApplication(platform);
    expect((await get(address(number), '')).status).toBe(302);
    const response = await get(address(number));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const order = needed(await orderByNumber(platform.db, number));
    const entries = await auditEntriesBySubject(platform.db, { kind: 'order', id: order.id });
    expect(entries.map(({ action, staffId }) => [action, staffId])).toEqual([
      ['order_viewed', aydin.id],
    ]);
    expect((await get(address('TRV0000000000000'))).status).toBe(404);
  });

  test('shows lines, attempts and nothing to refund while it is unpaid', async () => {
    const { number } = await makeApplication(platform, { paid: false, begun: true });
    const html = await page(address(number));
    expect(html).toContain('$94.00, not paid');
    expect(html).toContain('This order has not been paid.');
    expect(html).toContain('At the payment partner');
  });
});

describe('a refund', () => {
  test('is proposed by the policy, checked, confirmed and opened, without scripts', async () => {
    const { number } = await makeApplication(platform);
    const proposal = await page(asked(number));
    expect(proposal).toContain('Policy: $25.00 (Cancelled shortly after payment)');
    expect(proposal).toContain('Policy: $0.00 (The e-visa fee is not refunded)');

    const checked = await post(address(number), { ...fieldsOf(proposal), intent: 'check' });
    expect(checked.status).toBe(200);
    const confirmation = await checked.text();
    expect(confirmation).toContain('$25.00 will be refunded');
    expect(await storedRefunds(number)).toEqual([]);

    const fields = { ...fieldsOf(confirmation), intent: 'open' };
    // Pressing twice opens one refund.
    const [opened] = await Promise.all([
      post(address(number), fields),
      post(address(number), fields),
    ]);
    expect(opened.status).toBe(302);
    expect(opened.headers.get('location')).toMatch(
      new RegExp(`^/admin/orders/${number}\\?done=opened#refund-`),
    );
    const refunds = await storedRefunds(number);
    expect(refunds).toMatchObject([
      {
        refund: { cause: 'cancelled', applicationNumbers: [number], requestedBy: aydin.id },
        payment: { state: 'requested', amountMinor: 25_00 },
      },
    ]);
    const id = needed(refunds[0]).refund.id;
    const audited = await auditEntriesBySubject(platform.db, { kind: 'refund', id });
    expect(audited).toMatchObject([
      { action: 'refund_opened', staffId: aydin.id, detail: { amount: '25.00' } },
    ]);

    const payments = {
      ...makePayments(platform),
      providers: [
        quietProvider({ refund: async () => ok({ providerRefundId: 'R-1', state: 'completed' }) }),
      ],
    };
    await advanceRefund(platform, payments, id);
    const after = await page(address(number));
    expect(after).toContain('$25.00 refunded');
    expect(after).toContain('R-1');
    expect(await page(`/admin/applications/${number}`)).toContain('$25.00');
  });

  test('of another amount needs a reason, and cannot be more than is left', async () => {
    const { number } = await makeApplication(platform);
    const fields = fieldsOf(await page(asked(number)));
    const [fee = '', processing = ''] = Object.keys(fields).filter((name) =>
      name.startsWith('amount-'),
    );
    const check = async (changes: Record<string, string>) => {
      const response = await post(address(number), { ...fields, intent: 'check', ...changes });
      return { status: response.status, html: await response.text() };
    };
    const unexplained = await check({ [fee]: '10.00' });
    expect(unexplained.status).toBe(422);
    expect(unexplained.html).toContain('Explain why the amount differs from the policy.');
    expect(unexplained.html).toContain('value="10.00"');
    expect(unexplained.html).toContain('<title>Error: ');
    const tooMuch = await check({ [fee]: '69.01', note: 'Goodwill' });
    expect(tooMuch.html).toContain('This is more than the amount left.');
    expect((await check({ [fee]: 'ten', note: 'Goodwill' })).html).toContain('such as 25.00');
    expect((await check({ [processing]: '0', note: 'None' })).html).toContain('above zero');
    const good = await check({ [fee]: '4.00', note: 'Goodwill' });
    expect(good.html).toContain('$29.00 will be refunded');
    expect(good.html).toContain('Goodwill');
  });

  test('above the sum waits for a manager, who is not the one that asked', async () => {
    const { number } = await makeApplication(platform);
    const proposal = fieldsOf(await page(asked(number, 'duplicate_payment')));
    const checked = await post(address(number), { ...proposal, intent: 'check' });
    const confirmation = await checked.text();
    expect(confirmation).toContain('A manager must release it first');
    const opened = await post(address(number), { ...fieldsOf(confirmation), intent: 'open' });
    expect(opened.headers.get('location')).toContain('done=held');
    const [held] = await storedRefunds(number);
    expect(held?.payment).toMatchObject({ state: 'held', amountMinor: 94_00 });

    expect(await page('/admin/refunds', kaya.cookie)).toContain(number);
    const refund = needed(held).refund.id;
    const release = (cookie: string) =>
      post(address(number), { intent: 'release', refund }, cookie);
    expect((await release(aydin.cookie)).status).toBe(403);
    expect((await release(kaya.cookie)).headers.get('location')).toContain('done=released');
    const again = await release(kaya.cookie);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('no longer awaiting release');
    expect((await storedRefunds(number))[0]).toMatchObject({
      payment: { state: 'requested', releasedBy: kaya.id },
    });
    expect(await page('/admin/refunds', kaya.cookie)).not.toContain(number);
  });

  test('that waits says so on the case, and can be withdrawn by who asked', async () => {
    const { number } = await makeApplication(platform);
    const notice = 'A refund for this application is in progress. You can reject';
    const shown = () => page(`/en/admin/applications/${number}`);
    const order = needed(await orderByNumber(platform.db, number));
    const choice = {
      cause: 'duplicate_payment',
      askedAt: platform.now(),
      applications: [number],
    } as const;
    expect(await shown()).not.toContain(notice);
    const held = await refundOrder(platform, aydin, order, { choice });
    if (!held.ok) throw new Error(held.error.code);
    expect(await shown()).toContain(notice);
    const refund = held.value.refund.id;
    const withdrawn = await post(address(number), { intent: 'withdraw', refund });
    expect(withdrawn.headers.get('location')).toContain('done=withdrawn');
    expect(await shown()).not.toContain(notice);
  });

  test('that the provider refused is tried again by a manager', async () => {
    const { number } = await makeApplication(platform);
    const order = needed(await orderByNumber(platform.db, number));
    const choice = { cause: 'cancelled', askedAt: platform.now(), applications: [number] } as const;
    const opened = await refundOrder(platform, aydin, order, { choice });
    if (!opened.ok) throw new Error(opened.error.code);
    const refund = opened.value.refund.id;
    const refusing = partner({
      refund: async () => refused({ code: 'refused', message: 'card_account_closed' }),
    });
    await advanceRefund(platform, refusing.payments, refund);
    expect(await page(address(number))).not.toContain('value="retry"');
    expect((await post(address(number), { intent: 'retry', refund })).status).toBe(403);
    const html = await page(address(number), kaya.cookie);
    expect(html).toContain('card_account_closed');
    expect(html).toContain(`name="refund" value="${refund}"`);
    const retried = await post(address(number), { intent: 'retry', refund }, kaya.cookie);
    expect(retried.headers.get('location')).toContain('done=retried');
    const again = await post(address(number), { intent: 'retry', refund: 'x' }, kaya.cookie);
    expect(again.status).toBe(409);
  });

  test('counts from when the request came, at most now and never before the payment', async () => {
    const { number } = await makeApplication(platform, { promisedAt: null });
    platform.clock.advance(5 * HOUR);
    const { cookie } = await storeStaff(platform);
    const at = (moment: string) => {
      const query = new URLSearchParams({ cause: 'cancelled', asked: moment, app: number });
      return page(`${address(number)}?${query}`, cookie);
    };
    const wall = (milliseconds: number) =>
      new Date(platform.now().getTime() + milliseconds).toISOString().slice(0, 16);
    expect(await at(wall(0))).toContain('Policy: $20.00');
    expect(await at(wall(-4.5 * HOUR))).toContain('Policy: $25.00');
    expect(await at(wall(HOUR))).toContain('cannot be in the future');
    expect(await at(wall(-6 * HOUR))).toContain('must have been received after the payment');
    expect(await at('yesterday')).toContain('Enter a date and time');
  });
});

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
  await decideApplication(platform, kaya, {
    kind: 'reject',
    applicationId: gone.id,
    code: 'duplicate',
  });
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
  expect(await refundOrder(platform, kaya, paid, { choice })).toMatchObject({ ok: true });
  const html = await page(`/admin/orders/${order.number}`);
  const tables = html.match(/<table[^>]*>.*?<\/table>/gs) ?? [];
  const table = needed(tables.find((one) => one.includes('data-testid="claimed"')));
  const amounts = [
    ...table.matchAll(/<td(?: data-testid="claimed")?>(?:\$([\d.]+)|–)<\/td><\/tr>/g),
  ];
  const back = amounts.map(([, amount = '0']) => Number(amount));
  const total = back.pop();
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(back.reduce((sum, amount) => sum + amount, 0));
});
