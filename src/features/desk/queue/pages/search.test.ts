import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { makeNumber } from '~/features/application/number.ts';
import { refundOrder } from '~/features/desk/refunds/refunds.server.ts';
import { storeCase, storeStaff } from '~/features/desk/testing/case-store.server.ts';
import { insertReceipt, numberOf, receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { sampleCreditNote } from '~/features/order/receipt/testing/sample-receipt.ts';
import { insertOrder } from '~/features/order/new-order-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { paymentRefund } from '~/features/payment/settlement/tables.server.ts';
import { makeTestApp } from '../../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../../test/platform.ts';
import { needed } from '../../../../../test/purchases.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const reviewer = await storeStaff(platform);
const { cookie } = reviewer;

async function search(typed: string, tab = ''): Promise<string> {
  const body = new FormData();
  body.set('search', typed);
  body.set('tab', tab);
  const answer = await app.request('/admin/search', { method: 'POST', headers: { cookie }, body });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

/** The page's text, without the data for scripts. */
async function read(address: string): Promise<string> {
  const html = await (await app.request(address, { headers: { cookie } })).text();
  return html.split('window.__reactRouterContext')[0] ?? '';
}
const rowsOf = (html: string) => html.match(/data-testid="queue-row"/g)?.length ?? 0;

describe('a complete number opens its application', () => {
  test.each(['visa', 'insurance'] as const)(
    'of a %s application, from the other tab too, however it is typed',
    async (kind) => {
      const { number } = await storeCase(platform, { kind });
      const tab = kind === 'visa' ? '' : '?tab=insurance';
      const page = `/admin/applications/${number}${tab}#application`;
      for (const other of ['', 'insurance']) expect(await search(number, other)).toBe(page);
      const typed = ` ${number.slice(0, 3).toLowerCase()}-${number.slice(3).replaceAll('0', 'o')} `;
      expect(await search(typed)).toBe(page);
    },
  );

  test('of an order of several', async () => {
    const number = makeNumber('TRG', randomBytes(12));
    const { number: applicationNumber, email } = await storeCase(platform);
    const line = { applicationNumber, code: 'evisa_fee', detail: null, amount: usd(69_00) };
    const placed = {
      number,
      language: 'en',
      customer: { name: 'Thabo Naidoo', email },
      sessionHash: null,
      lines: [line],
    };
    await db.transaction((tx) => insertOrder(tx, placed, platform.now()));
    expect(await search(number)).toBe(`/admin/orders/${number}`);
  });

  test('of a receipt, a credit note, a refund and a payment, ours and the partner’s', async () => {
    const { number } = await storeCase(platform);
    const order = needed(await orderByNumber(db, number));
    const page = `/admin/orders/${number}`;
    const opened = await refundOrder(platform, reviewer, order, {
      choice: { cause: 'our_error', askedAt: platform.now(), applications: [number] },
    });
    if (!opened.ok) throw new Error(opened.error.code);
    const refundId = opened.value.refund.id;
    await db
      .update(paymentRefund)
      .set({ providerRefundId: 'RF-7781-x' })
      .where(eq(paymentRefund.id, refundId));
    const issued = { orderId: order.id, issuedAt: platform.now(), year: 2026 };
    const [receipt] = await receiptsOfOrder(db, order.id);
    const receiptNumber = numberOf(needed(receipt));
    await db.transaction(async (tx) => {
      const note = { kind: 'credit_note', serial: 654321, facts: sampleCreditNote } as const;
      await insertReceipt(tx, { ...issued, ...note, id: randomUUID(), refundId });
    });
    const [attempt] = await attemptsFor(db, number);
    for (const id of [
      receiptNumber,
      receiptNumber.toLowerCase().replaceAll('-', ' '),
      'LC-2026-654321',
    ])
      expect(await search(id)).toBe(`${page}#receipts`);
    expect(await search(refundId)).toBe(`${page}#refund-${refundId}`);
    for (const id of [attempt?.id, attempt?.captureId, attempt?.providerReference, 'RF-7781-x'])
      expect(await search(id ?? '')).toBe(page);
  });

  test('an unknown number is searched in the list', async () => {
    for (const typed of [
      makeNumber('TRV', randomBytes(12)),
      makeNumber('TRG', randomBytes(12)),
      'LR-2026-999999',
      randomUUID(),
    ]) {
      const address = await search(typed);
      expect(address).toMatch(/^\/admin\?search=/);
      expect(rowsOf(await read(address))).toBe(0);
    }
  });
});

describe('a search for a name', () => {
  test('stands in the address, which says no name, and nowhere else', async () => {
    const name = { firstName: 'Zeynep', lastName: 'Quiroga' };
    await storeCase(platform, name);
    const address = await search('quiróga');
    expect(address).not.toMatch(/quir|zeynep/i);
    const html = await read(address);
    expect(rowsOf(html)).toBe(1);
    expect(html).toContain('Quiroga, Zeynep');
    expect(html).toContain('value="quiróga"');
    expect(rowsOf(await read(address))).toBe(1);
    expect(await read('/admin')).not.toContain('quiróga');
    expect(await search('')).toBe('/admin');
  });

  test('of an address that is not ours is none', async () => {
    expect(await read('/admin?search=bm90LW91cnM')).not.toContain('search-note');
  });

  test('finds every state of both kinds, and shows the kind that has some', async () => {
    const name = { lastName: 'Obstfelder' };
    await storeCase(platform, { ...name, kind: 'insurance' });
    await storeCase(platform, { ...name, kind: 'insurance', paid: false });
    const address = await search('obstfelder');
    expect(address).toContain('tab=insurance');
    const html = await read(address);
    expect(rowsOf(html)).toBe(2);
    expect(html).toMatch(/data-testid="kind"[^>]*>Insurance/);
    expect(html).not.toContain('more in');
  });

  test('says what the open tab and its filters hide, and leads there', async () => {
    const name = { lastName: 'Grünblatt' };
    for (const paid of [true, true, false]) await storeCase(platform, { ...name, paid });
    for (const paid of [true, true, false])
      await storeCase(platform, { ...name, paid, kind: 'insurance' });
    const address = await search('grünblatt');
    const html = await read(address);
    expect(rowsOf(html)).toBe(3);
    expect(html).toContain('3 more in insurance applications');
    const other = /href="([^"]+)"[^>]*>3 more in insurance/.exec(html)?.[1] ?? '';
    expect(await read(other.replaceAll('&amp;', '&'))).toContain('3 more in visa applications');
    const narrowed = await read(`${address}&payment=unpaid`);
    expect(rowsOf(narrowed)).toBe(1);
    expect(narrowed).toContain('2 more without the filters');
    const nothing = await read(`${address}&status=approved`);
    expect(rowsOf(nothing)).toBe(0);
    expect(nothing).toContain('3 more without the filters');
    expect(nothing).toContain('3 more in insurance applications');
  });

  test('is kept by tabs, filters and pages of its list', async () => {
    const address = await search('naidoo');
    const html = await read(`${address}&sort=name`);
    const sealed = new URLSearchParams(address.split('?')[1]).get('search') ?? '?';
    const links = [...html.matchAll(/href="(\/admin(?:\?|\/applications)[^"]*)"/g)];
    const away = links
      .map(([, link = '']) => link)
      .filter((link) => !link.includes(`search=${sealed}`));
    // Only the link to the whole list drops the search.
    expect(away).toEqual([]);
    expect(html).toContain(`name="search" value="${sealed}"`);
  });
});

test('every page of the desk has the search', async () => {
  const everybody = await storeStaff(platform, { role: 'administrator' });
  const { number } = await storeCase(platform);
  for (const page of ['', '/refunds', '/payments', `/orders/${number}`, '/account', '/audit']) {
    const answer = await app.request(`/admin${page}`, { headers: { cookie: everybody.cookie } });
    expect(await answer.text()).toContain('action="/admin/search"');
  }
});
