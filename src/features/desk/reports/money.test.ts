import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { refundOrder } from '../money/refunds.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { reconcile } from '~/features/payment/reconcile/jobs.server.ts';
import { paymentMovement } from '~/features/payment/tables.server.ts';
import { raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { providerNamed } from '~/features/payment/provider.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { pay as payAtStripe, simulatedStripe } from '~/lab/stripe/simulated-stripe.server.ts';
import { findSession, sessions, stripeFee } from '~/lab/stripe/stripe-resources.server.ts';
import { ledgerPage, type LedgerRow } from './ledger.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform } = service;
const app = makeTestApp(platform, service.payments);
const stripe = needed(simulatedStripe(platform));
const byStripe = needed(providerNamed(service.payments.providers, 'stripe'));
const byCard = needed(providerNamed(service.payments.providers, 'card'));
const { place, start, pay, comeBack } = purchases(service);

let manager = await storeStaff(platform, { role: 'manager' });
/** The day by the clock in Türkiye on which everything below happens. */
const day = '2026-11-24';
const get = (path: string, { cookie } = manager) =>
  app.request(path, { headers: { cookie, accept: 'text/html' } });

let cardOrder = '';
let stripeCharge = '';

beforeAll(async () => {
  // In Türkiye it is the 24th, in UTC still the 23rd.
  platform.clock.set(new Date('2026-11-23T21:30:00Z'));
  const first = await place();
  cardOrder = first.number;
  await comeBack(await pay(await start(first, [byCard])));
  await service.runJobs();
  platform.clock.advance(60_000);
  const attempt = await start(await place(), [byStripe]);
  const { id } = needed(await findSession(stripe.db, 'clientReferenceId', attempt));
  await comeBack(needed(await payAtStripe(stripe, id)));
  await service.runJobs();
  stripeCharge = needed(needed(await sessions.get(stripe.db, id)).chargeId);
  await reconcile(platform, service.payments, needed(parseDate('2026-11-23')));
  platform.clock.set(new Date('2026-11-24T10:00:00Z'));
  const order = needed(await orderByNumber(platform.db, cardOrder));
  const applications = [needed(order.number)];
  const choice = { cause: 'our_error', askedAt: platform.now(), applications } as const;
  await refundOrder(platform, manager, order, { choice });
  await service.runJobs();
  // Late: another capture had paid the order.
  await platform.db.transaction((tx) =>
    storeAttempt(tx, { number: cardOrder, amountMinor: 10_00 }, platform.now(), {
      state: 'captured_late',
      captureId: 'C-late',
    }).then((attemptId) =>
      tx.execute(
        `insert into payment_event (id, provider, event_id, attempt_id, event, payload, received_at, result)
         values ('${randomUUID()}', 'card', 'late', '${attemptId}', 'capture', '{}', '2026-11-24T09:00:00Z', 'moved')`,
      ),
    ),
  );
  const movement = {
    provider: 'stripe',
    at: new Date('2026-11-24T08:00:00Z'),
    readAt: platform.now(),
    refundId: null,
  };
  await platform.db.insert(paymentMovement).values([
    {
      ...movement,
      id: 'txn_dispute',
      kind: 'dispute',
      captureId: stripeCharge,
      amountMinor: -94_00,
      feeMinor: 15_00,
    },
    {
      ...movement,
      id: 'txn_payout',
      kind: 'payout',
      captureId: null,
      amountMinor: -60_00,
      feeMinor: 0,
    },
    {
      ...movement,
      id: 'txn_foreign',
      kind: 'payout',
      captureId: null,
      amountMinor: null,
      feeMinor: null,
    },
    // The next day in Türkiye.
    {
      ...movement,
      id: 'txn_later',
      at: new Date('2026-11-24T21:00:00Z'),
      kind: 'payout',
      captureId: null,
      amountMinor: -1_00,
      feeMinor: 0,
    },
  ]);
  for (const status of ['needs_response', 'lost']) {
    await platform.db.transaction((tx) =>
      raiseAlert(tx, {
        id: randomUUID(),
        kind: 'disputed',
        attemptId: attempt,
        once: `dispute:${status}`,
        detail: { disputeId: 'dp_1', status, amountMinor: 94_00 },
        raisedAt: platform.now(),
      }),
    );
  }
  platform.clock.set(new Date('2026-11-24T12:00:00Z'));
  // The session of before has ended.
  manager = await storeStaff(platform, { role: 'manager' });
});

const textOf = (html: string) =>
  html
    .replace(/<span class="block text-tiny text-ink-2 wide:hidden">[^<]*<\/span>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function rowOf(html: string, partner: string): string[] {
  const row =
    html
      .split('aria-labelledby="money"')[1]
      ?.split('<tbody>')[1]
      ?.split('</tr>')
      .find((one) => one.includes(`>${partner}<`)) ?? '';
  return row
    .split(/<\/t[hd]>/)
    .slice(0, -1)
    .map(textOf);
}

describe('money by partner', () => {
  test('is what was captured, refunded and kept, and says what is not known', async () => {
    const html = await (await get(`/admin/figures?from=${day}&to=${day}`)).text();
    expect(rowOf(html, 'Card')).toEqual([
      'Card simulated by test mode read from the partner up to 23 Nov 2026',
      '$104.00 2 payments',
      '$25.00 1 refund',
      'not known',
      'not known',
      '$79.00 excluding amounts not known',
      'not known',
    ]);
    const fees = stripeFee(94_00) + 15_00;
    const net = 94_00 - fees - 94_00;
    expect(rowOf(html, 'Stripe').slice(1)).toEqual([
      '$94.00 1 payment',
      '$0.00 0 refunds',
      `$${(fees / 100).toFixed(2)}`,
      '$94.00 $94.00 taken by the partner',
      `-$${(-net / 100).toFixed(2)} excluding amounts not known`,
      '$60.00 1 line in another currency left out',
    ]);
  });

  test('of a day without any says so', async () => {
    const html = await (await get('/admin/figures?from=2026-11-01&to=2026-11-02')).text();
    expect(html).toContain('There were no payments or refunds in this period.');
  });
});

describe('the ledger’s file', () => {
  const linesOf = async (query: string) => {
    const response = await get(`/admin/figures/ledger/csv${query}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    const [head = '', ...lines] = new TextDecoder().decode(bytes).trim().split('\r\n');
    const names = head.split(',');
    return lines.map((line) =>
      Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])),
    );
  };

  test('has a line for every entry, by days in Türkiye, with document, fee and applications', async () => {
    const lines = await linesOf(`?from=${day}&to=${day}`);
    const order = needed(await orderByNumber(platform.db, cardOrder));
    const [receipt, note] = await receiptsByOrder(platform.db, order.id);
    const documentOf = (one: typeof receipt, prefix: string) =>
      `${prefix}-2026-${String(needed(one).serial).padStart(6, '0')}`;
    expect(lines.map(({ type, partner }) => `${type} ${partner}`)).toEqual([
      'capture card',
      'capture stripe',
      'dispute stripe',
      'payout stripe',
      'payout stripe',
      'capture card',
      'refund card',
    ]);
    expect(lines[0]).toMatchObject({
      date_turkiye: '2026-11-24',
      time_turkiye: '00:30',
      moment_utc: '2026-11-23T21:30:00.000Z',
      document: documentOf(receipt, 'LR'),
      amount_minor: '9400',
      amount: '94.00',
      currency: 'USD',
      fee_minor: '',
      fee: '',
      order: cardOrder,
      applications: cardOrder,
      attempt: order.paidBy,
      entry: order.paidBy,
    });
    expect(lines[1]).toMatchObject({
      transaction: stripeCharge,
      fee_minor: String(stripeFee(94_00)),
    });
    expect(lines[2]).toMatchObject({ amount: '-94.00', fee: '15.00' });
    expect(lines[5]).toMatchObject({ transaction: 'C-late', amount: '10.00', document: '' });
    expect(lines[6]).toMatchObject({ amount: '-25.00', document: documentOf(note, 'LC') });
  });

  test('is read page by page without losing or repeating a line', async () => {
    const span = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') };
    const whole = await ledgerPage(platform.db, span, null, 1000);
    const read: LedgerRow[] = [];
    for (let last: LedgerRow | null = null; ;) {
      const page: LedgerRow[] = await ledgerPage(platform.db, span, last, 2);
      const end = page.at(-1);
      if (!end) break;
      read.push(...page);
      last = end;
    }
    expect(read).toEqual(whole);
    expect(whole.length).toBeGreaterThan(7);
  });

  test('is recorded, and has no name and no address in it', async () => {
    const text = await (await get(`/admin/figures/ledger/csv?from=${day}&to=${day}`)).text();
    const order = needed(await orderByNumber(platform.db, cardOrder));
    expect(text).not.toContain(order.customerEmail);
    expect(text).not.toContain(order.customerName);
    const trail = await auditEntriesBySubject(platform.db, { kind: 'statistics', id: 'ledger' });
    expect(trail.at(-1)).toMatchObject({
      action: 'figures_exported',
      staffId: manager.id,
      detail: { from: day, to: day },
    });
  });
});

test('what a partner’s books said is read again without being counted twice', async () => {
  const before = await platform.db.select().from(paymentMovement);
  await reconcile(platform, service.payments, needed(parseDate('2026-11-23')));
  expect((await platform.db.select().from(paymentMovement)).length).toBe(before.length);
  expect(before).toContainEqual(
    expect.objectContaining({
      provider: 'stripe',
      kind: 'capture',
      captureId: stripeCharge,
      amountMinor: 94_00,
      feeMinor: stripeFee(94_00),
    }),
  );
});
