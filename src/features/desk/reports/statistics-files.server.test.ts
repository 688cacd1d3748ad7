import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dateOf, UTC } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { orderRefund } from '~/features/order/tables.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundOrder } from '../money/refunds.server.ts';
import { readPeriod } from './period.tsx';
import { applicationsColumns, submittedIn } from './statistics.server.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const manager = await storeStaff(platform, { role: 'manager' });
const period = readPeriod(new URLSearchParams(), dateOf(platform.now(), UTC));

async function refund(number: string) {
  const order = needed(await orderByNumber(db, number));
  const choice = { cause: 'our_error', askedAt: platform.now(), applications: [number] } as const;
  const opened = await refundOrder(platform, manager, order, { choice });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

test('the file says what has gone back of an application, and when; what is on its way has not', async () => {
  const [paid, back, onItsWay] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
  ];
  const { refund: done, payment } = await refund(back.number);
  const at = new Date(platform.now().getTime() + 1000);
  await db.update(orderRefund).set({ completedAt: at }).where(eq(orderRefund.id, done.id));
  await refund(onItsWay.number);

  const given = new Map<string, readonly unknown[]>();
  for await (const row of submittedIn(platform.readLagging, period)) {
    const { refunded, refunded_at: moment } = applicationsColumns;
    given.set(row.number, [refunded(row), moment(row)]);
  }
  const [nothing, none] = [usd(0), null];
  expect(given.get(paid.number)).toEqual([nothing, none]);
  expect(given.get(onItsWay.number)).toEqual([nothing, none]);
  expect(payment.amountMinor).toBeGreaterThan(0);
  expect(given.get(back.number)).toEqual([usd(payment.amountMinor), at.toISOString()]);
});
