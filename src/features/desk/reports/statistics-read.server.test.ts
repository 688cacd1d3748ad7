import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { orderRefund } from '~/features/order/tables.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { refundOrder } from '../money/refunds.server.ts';
import {
  applicationsColumns,
  cachedStatistics,
  submittedApplicationRows,
} from './statistics.server.ts';
import { readRangePeriod, type Range } from './period.tsx';

const platform = await makeTestPlatform();
const { db, pool } = platform;
const periodOf = (range: Range) =>
  readRangePeriod(new URLSearchParams({ range, by: 'day' }), toPlainDate(platform.now(), UTC));
const week = () => periodOf('7d');
let readings = 0;
pool.on('acquire', () => (readings += 1));

beforeEach(() => {
  platform.clock.advance(60_000);
  readings = 0;
});

test('concurrent requests share one reading', async () => {
  const all = await Promise.all([1, 2, 3].map(() => cachedStatistics(platform, week())));
  expect(new Set(all).size).toBe(1);
  expect(readings).toBe(1);
});

test('another period, and the same one a minute later, is read again', async () => {
  const first = await cachedStatistics(platform, week());
  await cachedStatistics(platform, periodOf('30d'));
  platform.clock.advance(59_999);
  expect(await cachedStatistics(platform, week())).toBe(first);
  platform.clock.advance(1);
  const later = await cachedStatistics(platform, week());
  expect(later.asOf.getTime() - first.asOf.getTime()).toBe(60_000);
  expect(readings).toBe(3);
});

test('a day that begins within the minute is not answered with the day before', async () => {
  platform.clock.set(new Date('2026-11-24T23:59:59Z'));
  await cachedStatistics(platform, week());
  platform.clock.advance(1000);
  await cachedStatistics(platform, week());
  expect(readings).toBe(2);
});

test('a reading that failed is not kept', async () => {
  await pool.query('alter table purchase_order rename to away');
  await expect(cachedStatistics(platform, week())).rejects.toThrow();
  await pool.query('alter table away rename to purchase_order');
  expect((await cachedStatistics(platform, week())).steps).toHaveLength(7);
});

test('they are read where reading may lag behind', async () => {
  let lagging = 0;
  const readLagging: typeof platform.readLagging = (read) => {
    lagging += 1;
    return platform.readLagging(read);
  };
  await cachedStatistics({ ...platform, readLagging }, week());
  expect({ lagging, readings }).toEqual({ lagging: 1, readings: 1 });
});

const manager = await storeStaff(platform, { role: 'manager' });

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

  const month = periodOf('30d');
  const given = new Map<string, readonly unknown[]>();
  for await (const row of submittedApplicationRows(platform.readLagging, month)) {
    const { refunded, refunded_at: moment } = applicationsColumns;
    given.set(row.number, [refunded(row), moment(row)]);
  }
  const [nothing, none] = [usd(0), null];
  expect(given.get(paid.number)).toEqual([nothing, none]);
  expect(given.get(onItsWay.number)).toEqual([nothing, none]);
  expect(payment.amountMinor).toBeGreaterThan(0);
  expect(given.get(back.number)).toEqual([usd(payment.amountMinor), at.toISOString()]);
});

test('a download that its reader has paused holds no connection', async () => {
  await makeApplication(platform);
  const rows = submittedApplicationRows(platform.readLagging, periodOf('30d'));
  expect((await rows.next()).done).toBe(false);
  expect(readings).toBeGreaterThan(0);
  expect(pool.idleCount).toBe(pool.totalCount);
  await rows.return(undefined);
});
