import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { application, applicationEarlierPassport } from '~/features/application/tables.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { termsInForce } from '~/features/insurance/store/plan-store.server.ts';
import { insuranceApplication } from '~/features/insurance/store/tables.server.ts';
import { makeNumber } from '~/features/application/number.ts';
import { insertErasedApplications } from '../privacy/deletions.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { refundOrder } from '../money/refunds.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import {
  insertReceipt,
  storedReceiptNumber,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { sampleCreditNote } from '~/features/order/receipt/testing/sample-receipt.ts';
import { insertOrder } from '~/features/order/order-to-pay.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { paymentRefund } from '~/features/payment/tables.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

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
      const { number } = await makeApplication(platform, { kind });
      const tab = kind === 'visa' ? '' : '?tab=insurance';
      const page = `/admin/applications/${number}${tab}#application`;
      for (const other of ['', 'insurance']) expect(await search(number, other)).toBe(page);
      const typed = ` ${number.slice(0, 3).toLowerCase()}-${number.slice(3).replaceAll('0', 'o')} `;
      expect(await search(typed)).toBe(page);
    },
  );

  test('of one that was erased on request: the page says when', async () => {
    const number = makeNumber('TRV', randomBytes(12));
    const page = `/admin/applications/${number}#application`;
    expect(await search(number)).not.toBe(page);
    expect(await read(`/admin/applications/${number}`)).toContain(
      'No application has this number.',
    );
    const erasedAt = new Date('2026-11-20T23:30:00Z');
    await db.transaction((tx) =>
      insertErasedApplications(tx, platform.sealer, { numbers: [number], erasedAt }),
    );
    expect(await search(number.toLowerCase())).toBe(page);
    const told = await read(`/admin/applications/${number}`);
    expect(told).toContain('This application was erased on request on 20 November 2026.');
    expect(told).not.toContain('No application has this number.');
  });

  test('of an order of several', async () => {
    const number = makeNumber('TRG', randomBytes(12));
    const { number: applicationNumber, email } = await makeApplication(platform);
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
    const { number } = await makeApplication(platform);
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
    const [receipt] = await receiptsByOrder(db, order.id);
    const receiptNumber = storedReceiptNumber(needed(receipt));
    await db.transaction(async (tx) => {
      const note = { kind: 'credit_note', serial: 654321, facts: sampleCreditNote } as const;
      await insertReceipt(tx, { ...issued, ...note, id: randomUUID(), refundId });
    });
    const [attempt] = await attemptsByReference(db, number);
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
    await makeApplication(platform, name);
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
    await makeApplication(platform, { ...name, kind: 'insurance' });
    await makeApplication(platform, { ...name, kind: 'insurance', paid: false });
    const address = await search('obstfelder');
    expect(address).toContain('tab=insurance');
    const html = await read(address);
    expect(rowsOf(html)).toBe(2);
    expect(html).toMatch(/data-testid="kind"[^>]*>Insurance/);
    expect(html).not.toContain('more in');
  });

  test('says what the open tab and its filters hide, and leads there', async () => {
    const name = { lastName: 'Grünblatt' };
    for (const paid of [true, true, false]) await makeApplication(platform, { ...name, paid });
    for (const paid of [true, true, false])
      await makeApplication(platform, { ...name, paid, kind: 'insurance' });
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

describe('a search for a passport number', () => {
  test.each(['visa', 'insurance'] as const)(
    'finds its %s application however it is typed, and is recorded without it',
    async (kind) => {
      const passportNumber = kind === 'visa' ? 'N45503733' : 'P7700412';
      const found = await makeApplication(platform, { kind, passportNumber });
      if (kind === 'insurance') {
        await seedAll(db, [seedInsurance], platform.now());
        const details = {
          applicationId: found.id,
          placeOfBirth: null,
          returnDate: '2026-12-20',
          tripDays: 9,
          planDays: 15,
          coverUntil: '2026-12-26',
          isMinor: false,
          termsVersion: needed(await termsInForce(db, platform.now())).version,
        };
        await db.insert(insuranceApplication).values({
          ...details,
          passportNumber: platform.sealer.seal(passportNumber, 'test'),
          passportHash: platform.sealer.keyedHash(
            passportNumber,
            'insurance_application.passport_number',
          ),
          verifyHash: randomBytes(32),
        });
      }
      for (const typed of [
        passportNumber,
        ` ${passportNumber.slice(0, 1).toLowerCase()} ${passportNumber.slice(1, 4)}-${passportNumber.slice(4)} `,
      ]) {
        const address = await search(typed);
        const html = await read(address);
        expect(rowsOf(html)).toBe(1);
        expect(html).toContain(found.number);
        expect(address).not.toContain(passportNumber);
      }
      expect(rowsOf(await read(await search(passportNumber.slice(0, -1))))).toBe(0);
      const trail = await db.execute(sql`select row_to_json(a)::text as line from audit_entry a`);
      const lines = trail.rows.map(({ line }) => String(line));
      expect(lines.filter((line) => /"searched": ?true/.test(line)).length).toBeGreaterThan(0);
      expect(lines.filter((line) => line.includes(passportNumber))).toEqual([]);
    },
  );
});

test('a search for a phone number finds it by its digits, with and without the country', async () => {
  const { id, number } = await makeApplication(platform);
  await db.update(application).set({ phone: '+90 532 123 45 67' }).where(eq(application.id, id));
  for (const typed of [
    '+90 532 123 45 67',
    '00905321234567',
    '0532 123 45 67',
    '(532) 123-4567',
    '1234567',
  ]) {
    const html = await read(await search(typed));
    expect(rowsOf(html)).toBe(1);
    expect(html).toContain(number);
  }
  for (const typed of ['+44 532 123 45 67', '234567', '0532 123 45 68'])
    expect(rowsOf(await read(await search(typed)))).toBe(0);
});

test('a search for the authority’s reference finds it with other gaps and signs', async () => {
  const { id, number } = await makeApplication(platform);
  const reference = 'EV-2026/0042 b';
  const decision = { kind: 'start_processing', applicationId: id, reference } as const;
  await decideApplication(platform, reviewer, decision);
  for (const typed of [reference, 'ev20260042B', 'EV 2026 0042 B'])
    expect(await read(await search(typed)), typed).toContain(`data-number="${number}"`);
  expect(rowsOf(await read(await search('EV-2026/0042')))).toBe(0);
});

test('a search for the passport number from before a correction finds its application', async () => {
  const { id, number } = await makeApplication(platform, { passportNumber: 'K8812345' });
  const passportHash = platform.sealer.keyedHash('K8812354', 'visa_application.passport_number');
  await db.insert(applicationEarlierPassport).values({ applicationId: id, passportHash });
  expect(await read(await search('K8812354'))).toContain(number);
});

describe('a search with a mistake', () => {
  test('in a name of five letters and more lists the names that were meant, and says so', async () => {
    await makeApplication(platform, { firstName: 'Naomi', lastName: 'Tanaka' });
    await makeApplication(platform, {
      firstName: 'Amina',
      lastName: 'Mohammed',
      kind: 'insurance',
    });
    const tanaka = await read(await search('tanka'));
    expect(rowsOf(tanaka)).toBe(1);
    expect(tanaka).toContain('Nothing found for “tanka”. Names with one letter different:');
    expect(tanaka).toContain('value="tanka"');
    const mohammed = await read(await search('Mohamed'));
    expect(mohammed).toContain('Mohammed, Amina');
    const right = await read(await search('tanaka'));
    expect(right).toContain('Results for “tanaka”');
    const unknown = await read(await search('wolkenbruch'));
    expect(unknown).toContain('No applications found.');
    expect(unknown).toContain('Results for “wolkenbruch”');
  });

  test('in a number is told from an unknown number', async () => {
    const { number } = await makeApplication(platform);
    const last = number.endsWith('0') ? '1' : '0';
    const at = [4, 5, 6, 7, 8].find((one) => number[one] !== number[one + 1]) ?? 4;
    const swapped = [number.slice(0, at), number[at + 1], number[at], number.slice(at + 2)].join(
      '',
    );
    for (const typed of [
      number.slice(0, -1) + last,
      swapped,
      `${number}7`,
      `RTV${number.slice(3)}`,
    ])
      expect(await read(await search(typed))).toContain('This number has a typing mistake.');
    for (const typed of [makeNumber('TRV', randomBytes(12)), 'TRVZZZZ', 'Trinidad Gonzalez']) {
      const html = await read(await search(typed));
      expect(html).toContain('No applications found.');
      expect(html).not.toContain('typing mistake');
    }
  });
});

test('every page of the desk has the search', async () => {
  const everybody = await storeStaff(platform, { role: 'administrator' });
  const { number } = await makeApplication(platform);
  for (const page of ['', '/refunds', '/payments', `/orders/${number}`, '/account', '/audit']) {
    const answer = await app.request(`/admin${page}`, { headers: { cookie: everybody.cookie } });
    expect(await answer.text()).toContain('action="/admin/search"');
  }
});
