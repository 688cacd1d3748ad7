import { expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { useDatabase } from '../../../../test/database.ts';
import { storeHistories, type History } from '../application/testing/many-applications.server.ts';
import { planReads, watchPlans } from '../application/testing/query-plans.server.ts';
import { ranges, readPeriod, spanOf } from './period.tsx';
import { readSteps, submittedPage } from './figures.server.ts';

/*
 * What makes the figures fast: they read indexes only, and the period only; a file reads the lines that it returns.
 */
const HISTORIES = 4000;
const HOUR = 3_600_000;
const now = new Date('2026-11-23T10:00:00Z');
const today = parseDate('2026-11-23');
if (!today) throw new Error('A day');
const periodOf = (range: string) => readPeriod(new URLSearchParams({ range }), today);

const { pool } = await useDatabase();
const { db, plansOf } = watchPlans(pool, ['seqscan', 'bitmapscan']);
/** One every six hours: a year contains a third of them. */
await storeHistories(
  pool,
  Array.from({ length: HISTORIES }, (_, index): History => {
    const createdAt = now.getTime() - index * 6 * HOUR;
    return {
      kind: index % 5 === 0 ? 'insurance' : 'visa',
      country: index % 3 === 0 ? 'ZAF' : 'IND',
      createdAt,
      paidAt: createdAt,
      promisedAt: createdAt + 24 * HOUR,
      decided: { at: createdAt + 20 * HOUR, approved: index % 9 > 0 },
      amountMinor: 94_00,
      refundedMinor: index % 40 === 0 ? 25_00 : 0,
      lab: false,
    };
  }),
);
await pool.query('vacuum analyze application, purchase_order, payment_attempt');

test.each(ranges)('the steps of %s are read from indexes, and only their period', async (range) => {
  const period = periodOf(range);
  const plans = await plansOf(() => readSteps(db, period, now, false));
  const reads = plans.flatMap(planReads);
  expect(plans).toHaveLength(3);
  expect(new Set(reads.map(({ how }) => how))).toEqual(new Set(['Index Only Scan']));
  const applications = reads.filter(({ table }) => table === 'application');
  expect(applications).toHaveLength(3);
  const days = (now.getTime() - spanOf(period).from.getTime()) / (24 * HOUR);
  for (const { rows } of applications) expect(rows).toBeLessThanOrEqual(4 * days + 9);
});

test('a file reads the lines that it takes next', async () => {
  const year = periodOf('12m');
  const [first] = await submittedPage(db, year, null, 1);
  if (!first) throw new Error('No application');
  const [plan] = await plansOf(() => submittedPage(db, year, first, 100));
  const reads = plan ? planReads(plan) : [];
  expect(reads.filter(({ table }) => table === 'application').map(({ rows }) => rows)).toEqual([
    100,
  ]);
  for (const { rows } of reads) expect(rows).toBeLessThanOrEqual(100);
});
