import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { usd } from '~/base/money.ts';
import type { ProviderEvent } from '~/features/payment/provider.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import type { Order } from '../store.server.ts';
import { issueReceipt, storedReceiptNumber, receiptsByOrder } from './issue-receipt.server.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { makeApplication } from '../../../../test/make.ts';

type OnPaid = ReturnType<typeof makePayments>['onPaid'];
let platform: TestPlatform;
let onPaid: OnPaid;
// Numbers begin anew with each test.
beforeEach(async () => {
  platform = await makeTestPlatform({
    variables: { OPERATOR_LEGAL_NAME: 'Sample Operator', OPERATOR_TAX_NUMBER: '0000000000' },
  });
  ({ onPaid } = makePayments(platform));
});

/** An order with an attempt, and the capture that will pay it. */
async function begun(): Promise<{ order: Order; capture: ProviderEvent }> {
  const { order } = await makeApplication(platform, { paid: false });
  const [id, now] = [randomUUID(), platform.now()];
  await platform.db.transaction((tx) =>
    storeAttempt(tx, order, now, { id, providerReference: `TX-${id}` }),
  );
  const capture: ProviderEvent = {
    eventId: randomUUID(),
    attemptId: id,
    event: 'capture',
    amount: usd(order.amountMinor),
    providerReference: `TX-${id}`,
    captureId: `C-${id}`,
    reason: null,
    payload: { status: 'completed', cardLast4: '1111' },
  };
  return { order, capture };
}

const pay = ({ capture }: { capture: ProviderEvent }, whenPaid = onPaid) =>
  settle(platform, 'card', capture, whenPaid);

async function serialsIn(year: number): Promise<number[]> {
  const { rows } = await platform.pool.query<{ serial: number }>(
    "select serial from order_receipt where kind = 'receipt' and year = $1 order by serial",
    [year],
  );
  return rows.map(({ serial }) => serial);
}

describe('a receipt', () => {
  it('is issued with the payment, once, and says what was paid, by whom and how', async () => {
    const purchase = await begun();
    await pay(purchase);
    await pay(purchase);
    await pay({ capture: { ...purchase.capture, eventId: randomUUID() } });
    const [receipt, ...others] = await receiptsByOrder(platform.db, purchase.order.id);
    expect(others).toEqual([]);
    expect(receipt && storedReceiptNumber(receipt)).toMatch(/^LR-2026-\d{6}$/);
    expect(receipt?.facts).toEqual({
      language: 'en',
      operator: {
        legalName: 'Sample Operator',
        address: '1 Sample Street, Sample City',
        taxNumber: '0000000000',
      },
      authoritiesCharge: 'included',
      payer: 'Thabo Naidoo',
      orderNumber: purchase.order.number,
      lines: [
        {
          applicationNumber: purchase.order.number,
          code: 'evisa_fee',
          detail: null,
          amountMinor: 69_00,
        },
        {
          applicationNumber: purchase.order.number,
          code: 'processing_fee',
          detail: 'standard',
          amountMinor: 25_00,
        },
      ],
      totalMinor: 94_00,
      currency: 'USD',
      at: platform.now().toISOString(),
      provider: 'card',
      transaction: purchase.capture.providerReference,
      cardLast4: '1111',
      isTest: true,
    });
  });

  it('shows no more of a card than four digits, whatever a partner sends', async () => {
    const { order, capture } = await begun();
    await pay({ capture: { ...capture, payload: { cardLast4: '4111111111111111' } } });
    const [receipt] = await receiptsByOrder(platform.db, order.id);
    expect(receipt?.facts.cardLast4).toBeNull();
  });

  it('is not issued twice, even if somebody tried', async () => {
    const purchase = await begun();
    await pay(purchase);
    const order = { ...purchase.order, paidAt: platform.now(), paidBy: purchase.capture.attemptId };
    const again = platform.db.transaction((tx) =>
      issueReceipt(tx, platform.config, { order, lines: [] }),
    );
    await expect(again).rejects.toThrow();
    expect(await receiptsByOrder(platform.db, order.id)).toHaveLength(1);
  });
});

describe('the numbers of receipts', () => {
  it('are 50 in a row for 50 payments at once, and a payment that fails half-way leaves no gap', async () => {
    platform.clock.set(new Date('2027-03-05T12:00:00Z'));
    const purchases = [];
    for (let i = 0; i < 60; i++) purchases.push(await begun());
    const outcomes = await Promise.allSettled(
      purchases.map((purchase, index) =>
        pay(purchase, async (tx, paid) => {
          await onPaid(tx, paid);
          if (index % 6 === 5) throw new Error('the power went');
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(await serialsIn(2027)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('begin again with the year of the payment, in UTC', async () => {
    platform.clock.set(new Date('2027-12-31T23:59:59Z'));
    const last = await begun();
    const first = await begun();
    await pay(last);
    platform.clock.set(new Date('2028-01-01T00:00:00Z'));
    await pay(first);
    const numbers = [];
    for (const { order } of [last, first]) {
      numbers.push(...(await receiptsByOrder(platform.db, order.id)).map(storedReceiptNumber));
    }
    expect(numbers).toEqual(['LR-2027-000001', 'LR-2028-000001']);
  });
});
