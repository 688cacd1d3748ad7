import { beforeAll, describe, expect, test } from 'vitest';
import { refundCauses } from '~/features/order/refund-cause.ts';
import {
  linesOfRefunds,
  refundsOfOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decide } from '../application/decide.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { propose, refundOrder } from './refunds.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makePayment, makeOrder, seedSales } from '../../../../test/make.ts';

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
const manager = await storeStaff(platform, { role: 'manager' });

beforeAll(() => seedSales(platform));

async function paidThree() {
  const { order, visas, insurances } = await makeOrder(platform, {
    travellers: [
      { firstName: 'Anna', plan: '30-days' },
      { firstName: 'Bela', plan: '30-days' },
      { firstName: 'Carl' },
    ],
  });
  await makePayment(platform, order);
  const paid = needed(await orderByNumber(db, order.number));
  const bela = { visa: needed(visas[1]), insurance: needed(insurances.get(2)) };
  return { order: paid, bela, lines: await linesOf(db, order.id) };
}

describe('one of three travellers in a paid order', () => {
  test.each(refundCauses)('is proposed the money of their own lines alone (%s)', async (cause) => {
    const { order, bela, lines } = await paidThree();
    const applications = [bela.visa.number, bela.insurance.number];
    const asked = { cause, askedAt: platform.now(), applications };
    const proposal = await propose(platform, order, asked);
    const own = lines.filter((line) => applications.includes(line.applicationNumber));
    expect(proposal).toMatchObject({
      ok: true,
      value: { lines: own.map(({ id }) => ({ line: { id } })) },
    });
    const most = own.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    if (proposal.ok) expect(proposal.value.total.minor).toBeLessThanOrEqual(most);
  });

  test('whose visa is refused gets back what the policy says of it, and stays the only one', async () => {
    const { order, bela } = await paidThree();
    const choice = {
      cause: 'visa_refused',
      askedAt: platform.now(),
      applications: [bela.visa.number, bela.insurance.number],
    } as const;
    const opened = await refundOrder(platform, manager, order, {
      choice,
      amounts: new Map(),
      note: '',
    });
    expect(opened.ok).toBe(true);
    const [refund, ...others] = await refundsOfOrder(db, order.id);
    expect(others).toEqual([]);
    const back = await linesOfRefunds(db, [needed(refund).refund.id]);
    expect(new Set(back.map((line) => line.applicationNumber)).size).toBeGreaterThan(0);
    for (const { applicationNumber } of back) {
      expect(choice.applications).toContain(applicationNumber);
    }
    // The other applications of the order stay open.
    const { rows } = await platform.pool.query<{ status: string }>(
      `select status from application where order_number = $1 and not (number = any ($2))`,
      [order.number, choice.applications],
    );
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  test('whose insurance is rejected gets back that premium, once', async () => {
    const { order, bela } = await paidThree();
    const rejected = await decide(platform, manager, {
      kind: 'reject',
      applicationId: bela.insurance.id,
      code: 'not_insurable',
    });
    // An adult's insurance is approved automatically; before that, staff may reject it.
    expect(rejected.ok).toBe(true);
    const refunds = await refundsOfOrder(db, order.id);
    expect(refunds.map(({ refund }) => refund.applicationNumbers)).toEqual([
      [bela.insurance.number],
    ]);
  });

  test('whose visa is rejected leaves all lines of the order, and it paid, and gives back theirs alone', async () => {
    const { order, bela, lines } = await paidThree();
    await decide(platform, manager, {
      kind: 'reject',
      applicationId: bela.visa.id,
      code: 'details_differ',
    });
    expect(await linesOf(db, order.id)).toEqual(lines);
    expect(await orderByNumber(db, order.number)).toEqual(order);
    expect(await refundsOfOrder(db, order.id)).toMatchObject([
      { refund: { cause: 'rejected_by_us', applicationNumbers: [bela.visa.number] } },
    ]);
  });
});
