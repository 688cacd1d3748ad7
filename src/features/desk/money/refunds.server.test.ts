import { describe, expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { linesOfRefunds } from '~/features/order/refunds/order-refund-store.server.ts';
import { decide } from '../application/decide.server.ts';
import { propose, refundOrder, release, withdraw } from './refunds.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundOrders } from '../application/testing/refund-orders.ts';
import { makeInsurance, makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const {
  administrator,
  cancelledAt,
  choice,
  db,
  manager,
  orderOf,
  orderOfTwo,
  platform,
  refundsFor,
  reviewer,
} = await refundOrders();

describe('rejecting an insurance', () => {
  test('opens the full refund of its premium in the same transaction', async () => {
    const insurance = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
    const asked = { applicationId: insurance.id, reason: 'No photo of the ID' };
    expect((await decide(platform, reviewer, { kind: 'reject', ...asked })).ok).toBe(true);
    expect(await refundsFor(insurance.number)).toMatchObject([
      {
        refund: { cause: 'insurance_rejected', requestedBy: null, completedAt: null },
        payment: { state: 'requested', amountMinor: 189_00, requestedBy: 'system' },
      },
    ]);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('that is paid by the order of a visa touches its own line alone', async () => {
    const { number, insurance } = await orderOfTwo();
    const asked = { applicationId: insurance.id, reason: 'No cover' };
    expect((await decide(platform, reviewer, { kind: 'reject', ...asked })).ok).toBe(true);
    const [opened] = await refundsFor(number);
    expect(opened?.refund.applicationNumbers).toEqual([insurance.number]);
    const lines = await linesOfRefunds(db, [needed(opened).refund.id]);
    expect(lines.map(({ code, amountMinor, reason }) => [code, amountMinor, reason])).toEqual([
      ['insurance_plan', 189_00, 'premium_back'],
    ]);
  });

  test('that is unpaid opens none, nor does a visa that the authorities refused', async () => {
    const insurance = await makeInsurance(platform);
    await decide(platform, reviewer, { kind: 'reject', applicationId: insurance.id, reason: 'No' });
    expect(await refundsFor(insurance.number)).toEqual([]);
    const visa = await makeApplication(platform);
    const refused = { applicationId: visa.id, code: 'authorities_refused' } as const;
    await decide(platform, reviewer, { kind: 'reject', ...refused });
    expect(await refundsFor(visa.number)).toEqual([]);
  });

  test('whose premium has gone back opens no second one', async () => {
    const insurance = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
    const order = await orderOf(insurance.number);
    const all = choice('not_submitted', insurance.number);
    expect((await refundOrder(platform, manager, order, { choice: all })).ok).toBe(true);
    const asked = { applicationId: insurance.id, reason: 'Paid back' };
    expect((await decide(platform, reviewer, { kind: 'reject', ...asked })).ok).toBe(true);
    expect(await refundsFor(insurance.number)).toHaveLength(1);
  });
});

describe('cancelling one application of an order of two', () => {
  test('touches only its lines, and ends the cover that was paid back', async () => {
    const { number, visa, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const proposal = await propose(platform, order, choice('cancelled', insurance.number));
    expect(proposal).toMatchObject({ ok: true, value: { total: usd(170_10) } });
    const opened = await refundOrder(platform, reviewer, order, {
      choice: choice('cancelled', insurance.number),
    });
    expect(opened).toMatchObject({
      ok: true,
      value: {
        refund: { applicationNumbers: [insurance.number] },
        payment: { state: 'requested' },
      },
    });
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
    const rest = await propose(platform, order, choice('cancelled', visa.number));
    expect(rest).toMatchObject({ ok: true, value: { total: usd(25_00) } });
    const again = await propose(platform, order, choice('duplicate_payment', insurance.number));
    expect(again).toMatchObject({ ok: true, value: { total: usd(18_90) } });
  });

  test('for a mistake of ours leaves the cover as it is', async () => {
    const { number, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const proposal = await propose(platform, order, choice('our_error', insurance.number));
    if (!proposal.ok) throw new Error(proposal.error.code);
    const lineId = needed(proposal.value.lines[0]).line.id;
    const opened = await refundOrder(platform, manager, order, {
      choice: choice('our_error', insurance.number),
      amounts: new Map([[lineId, usd(20_00)]]),
      note: 'A wrong date on the certificate',
    });
    expect(opened.ok).toBe(true);
    expect(await cancelledAt(insurance.id)).toBeNull();
  });

  test('of another order is no application of this one', async () => {
    const { number } = await orderOfTwo();
    const other = await makeApplication(platform);
    const refused = await propose(
      platform,
      await orderOf(number),
      choice('cancelled', other.number),
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'no_application' } });
  });
});

describe('a sum above 200.00', () => {
  const everything = async (staff: typeof reviewer) => {
    const { number, visa, insurance } = await orderOfTwo();
    const order = await orderOf(number);
    const opened = await refundOrder(platform, staff, order, {
      choice: choice('duplicate_payment', visa.number, insurance.number),
    });
    if (!opened.ok) throw new Error(opened.error.code);
    return { number, insurance, ...opened.value };
  };

  test('waits when a reviewer asks, and the cover ends with the release', async () => {
    const { refund, payment, insurance } = await everything(reviewer);
    expect(payment).toMatchObject({ state: 'held', amountMinor: 283_00 });
    expect(await cancelledAt(insurance.id)).toBeNull();
    expect(await release(platform, reviewer, refund.id)).toMatchObject({
      error: { code: 'forbidden' },
    });
    const released = await Promise.all([
      release(platform, manager, refund.id),
      release(platform, administrator, refund.id),
    ]);
    expect(released.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await cancelledAt(insurance.id)).toEqual(platform.now());
  });

  test('goes at once when a manager asks', async () => {
    expect((await everything(manager)).payment.state).toBe('requested');
  });

  test('can be taken back by who asked or by a manager, not by another reviewer', async () => {
    const { refund, number } = await everything(reviewer);
    const other = await storeStaff(platform, { name: 'K. Demir' });
    expect((await withdraw(platform, other, refund.id)).ok).toBe(false);
    expect((await withdraw(platform, reviewer, refund.id)).ok).toBe(true);
    const left = await propose(platform, await orderOf(number), {
      ...choice('duplicate_payment'),
      applications: refund.applicationNumbers,
    });
    expect(left).toMatchObject({ ok: true, value: { total: usd(283_00) } });
  });

  test('waiting while its insurance is rejected: taken back, the premium goes back all the same', async () => {
    const { refund, number, insurance } = await everything(reviewer);
    const rejected = await decide(platform, manager, {
      kind: 'reject',
      applicationId: insurance.id,
      reason: 'No photo of the ID',
    });
    expect(rejected.ok).toBe(true);
    expect(await refundsFor(number)).toHaveLength(1);
    expect((await withdraw(platform, manager, refund.id)).ok).toBe(true);
    const refunds = await refundsFor(number);
    expect(refunds).toHaveLength(2);
    // Both have the same moment.
    expect(refunds.find(({ payment }) => payment.state !== 'withdrawn')).toMatchObject({
      refund: { cause: 'insurance_rejected', applicationNumbers: [insurance.number] },
      payment: { state: 'requested', amountMinor: 189_00 },
    });
  });
});
