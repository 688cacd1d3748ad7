import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '~/base/outcome.ts';
import { isMissed } from '~/features/application/promised.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { advanceRefund } from '~/features/payment/settlement/refund.server.ts';
import { quietProvider } from '~/features/payment/testing/quiet-provider.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '30.00' } });
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });

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
  refundsOfOrder(platform.db, needed(await orderByNumber(platform.db, number)).id);

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

  test('is not offered for a promise that waits for the traveller, nor for one that was kept', () => {
    const promisedAt = new Date('2026-11-23T10:00:00Z');
    const before = new Date('2026-11-23T09:00:00Z');
    const after = new Date('2026-11-23T11:00:00Z');
    const open = { promisedAt, decidedAt: null, pausedAt: null };
    expect(isMissed(open, after)).toBe(true);
    expect(isMissed(open, before)).toBe(false);
    expect(isMissed({ ...open, pausedAt: before }, after)).toBe(false);
    expect(isMissed({ ...open, decidedAt: before }, after)).toBe(false);
    expect(isMissed({ ...open, decidedAt: after }, after)).toBe(true);
    expect(isMissed({ ...open, promisedAt: null }, after)).toBe(false);
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
    const entries = await auditEntriesOf(platform.db, { kind: 'order', id: order.id });
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

test.each(['tr', 'ar'])('the page is whole in %s', async (language) => {
  const { number } = await makeApplication(platform);
  const html = await page(`/${language}${asked(number)}`);
  expect(html).toContain(`lang="${language}"`);
  expect(html).not.toMatch(/>(form|lines|refunds|cause|reason|error|receipts|confirm)\.\w/);
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
    const audited = await auditEntriesOf(platform.db, { kind: 'refund', id });
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

  test('in small pieces above the sum waits as well', async () => {
    const { number } = await makeApplication(platform);
    const open = async (cause: string, changes: (names: string[]) => Record<string, string>) => {
      const fields = fieldsOf(await page(asked(number, cause)));
      const names = Object.keys(fields).filter((name) => name.startsWith('amount-'));
      const checked = await post(address(number), {
        ...fields,
        ...changes(names),
        note: 'In pieces',
        intent: 'check',
      });
      return post(address(number), { ...fieldsOf(await checked.text()), intent: 'open' });
    };
    const first = await open('cancelled', () => ({}));
    expect(first.headers.get('location')).toContain('done=opened');
    const second = await open('cancelled', ([fee = '']) => ({ [fee]: '20.00' }));
    expect(second.headers.get('location')).toContain('done=held');
  });

  test('keeps to the policy under which the order was placed', async () => {
    const { number } = await makeApplication(platform);
    await platform.pool.query(
      `update purchase_order set refund_policy = jsonb_set(refund_policy, '{fullRefundHours}', '-1')
        where number = $1`,
      [number],
    );
    const order = needed(await orderByNumber(platform.db, number));
    expect(order.refundPolicy?.fullRefundHours).toBe(-1);
    expect(await page(asked(number))).toContain('Policy: $20.00');
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
