import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { needed } from '../../../../test/needed.ts';
import { useDatabase } from '../../../../test/database.ts';
import { countDecisions } from '~/features/application/store.server.ts';
import { readQueueCounts } from './totals.server.ts';
import { storeHistories, type History } from '../application/testing/many-applications.server.ts';
import { countPromisesBySpeed } from './work.server.ts';
import { readSteps, submittedPage } from './figures.server.ts';
import { daysOfStep, ranges, readPeriod, spanOf, type Period } from './period.tsx';

const { db, pool } = await useDatabase();
const now = new Date('2026-11-21T15:30:00Z');
const today = parseDate('2026-11-21');
if (!today) throw new Error('A day');
const periodOf = (range: string) => readPeriod(new URLSearchParams({ range }), today);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Many moments near midnight, where a wrong zone or limit would show. */
const moments = fc
  .tuple(
    fc.integer({ min: 0, max: 400 }),
    fc.oneof(fc.constantFrom(0, 1, DAY - 1), fc.integer({ min: 0, max: DAY - 1 })),
  )
  .map(([days, within]) => Math.min(Date.parse('2026-11-21') - days * DAY + within, now.getTime()));

const histories: fc.Arbitrary<History> = fc
  .record({
    kind: fc.constantFrom('visa' as const, 'insurance' as const),
    country: fc.constantFrom(...'ZAF MEX IND CHN PAK PHL EGY BRA NGA VNM BGD KEN'.split(' ')),
    createdAt: moments,
    paidAfter: fc.option(fc.integer({ min: 0, max: 3 * DAY }), { freq: 4 }),
    promisedAfter: fc.option(fc.integer({ min: HOUR, max: 5 * DAY }), { freq: 8 }),
    decidedAfter: fc.option(fc.integer({ min: 0, max: 9 * DAY }), { freq: 4 }),
    approved: fc.boolean(),
    withdrawn: fc.boolean(),
    amountMinor: fc.integer({ min: 1, max: 71_400 }),
    refundedPart: fc.constantFrom(0, 0, 0, 0.5, 1),
    lab: fc.constantFrom(false, false, false, true),
  })
  .map(({ paidAfter, promisedAfter, decidedAfter, approved, withdrawn, refundedPart, ...rest }) => {
    const paidAt = paidAfter === null ? null : rest.createdAt + paidAfter;
    return {
      ...rest,
      paidAt,
      promisedAt: paidAt === null || promisedAfter === null ? null : paidAt + promisedAfter,
      decided:
        decidedAfter === null
          ? null
          : {
              at: (paidAt ?? rest.createdAt) + decidedAfter,
              // Unpaid applications can only be rejected.
              approved: approved && paidAt !== null,
              withdrawn: withdrawn && !approved,
            },
      refundedMinor: paidAt === null ? 0 : Math.floor(rest.amountMinor * refundedPart),
    };
  });

/** The step of a moment, from its day in Türkiye as text; null outside the period. */
function stepAt(period: Period, at: number | null): number | null {
  if (at === null) return null;
  const day = new Date(at + 3 * HOUR).toISOString().slice(0, 10);
  if (day < period.first || day > period.last) return null;
  return period.starts.findLastIndex((start) => start <= day);
}

/** The value that `share` of all do not exceed. */
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(Math.ceil(values.length * share) - 1, 0)] ?? null;

function decisionsOf(given: readonly History[]) {
  const took = given.map(({ decided, paidAt }) => (decided?.at ?? 0) - (paidAt ?? 0));
  return {
    decided: given.length,
    approved: given.filter(({ decided }) => decided?.approved).length,
    medianMs: percentile(took, 0.5),
    ninetiethMs: percentile(took, 0.9),
  };
}

/** Of both kinds, what a decision came late for and what it has not come for at all counting against us. */
const promisesOf = (given: readonly History[]) => ({
  due: given.length,
  kept: given.filter(
    ({ decided, promisedAt }) => decided && promisedAt !== null && decided.at <= promisedAt,
  ).length,
});

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

/** The same figures, computed naively. */
function recount(period: Period, given: readonly History[]) {
  const real = given.filter(({ lab }) => !lab);
  const at = (step: number, moment: (one: History) => number | null) =>
    real.filter((one) => stepAt(period, moment(one)) === step);
  const kinds = (list: readonly History[]) => ({
    visa: list.filter(({ kind }) => kind === 'visa').length,
    insurance: list.filter(({ kind }) => kind === 'insurance').length,
  });
  const decided = real.filter(
    ({ kind, paidAt, decided: end }) => kind === 'visa' && paidAt !== null && !end?.withdrawn,
  );
  const decidedIn = (step: number | null) =>
    decided.filter((one) => {
      const found = stepAt(period, one.decided?.at ?? null);
      return step === null ? found !== null : found === step;
    });
  const fellDue = real.filter(
    ({ paidAt, promisedAt, decided: end }) =>
      paidAt !== null && promisedAt !== null && promisedAt < now.getTime() && !end?.withdrawn,
  );
  const dueIn = (step: number | null) =>
    fellDue.filter((one) => {
      const found = stepAt(period, one.promisedAt);
      return step === null ? found !== null : found === step;
    });
  const submitted = real.filter((one) => stepAt(period, one.createdAt) !== null);
  const figuresOf = (step: number | null) => ({
    ...kinds(step === null ? submitted : at(step, (one) => one.createdAt)),
    captured: null,
    refunded: null,
    ...decisionsOf(decidedIn(step)),
    ...promisesOf(dueIn(step)),
  });
  return {
    steps: period.starts.map((_, step) => ({ ...daysOfStep(period, step), ...figuresOf(step) })),
    whole: figuresOf(null),
  };
}

describe('the figures of a period', () => {
  test(
    'are what counting one by one comes to, whatever happened',
    { timeout: 60_000 },
    async () => {
      const all = fc.array(histories, { maxLength: 60, size: 'max' });
      await fc.assert(
        fc.asyncProperty(all, fc.constantFrom(...ranges), async (given, range) => {
          await storeHistories(pool, given);
          const period = periodOf(range);
          const read = await readSteps(db, period, now, false);
          expect(read).toEqual(recount(period, given));
          // By speed they are the same.
          const { all: promises } = await countPromisesBySpeed(db, spanOf(period), now);
          const { due, kept } = read.whole;
          expect(promises).toMatchObject({ due, kept });
          // So are those of the weekly email.
          expect(await countDecisions(db, spanOf(period))).toEqual({
            approved: read.whole.approved,
            rejected: read.whole.decided - read.whole.approved,
          });
        }),
        { numRuns: 40 },
      );
    },
  );

  test('of the longest period come to what the queue counts, if nothing is older', async () => {
    const recent = histories.filter(({ createdAt }) => createdAt > now.getTime() - 300 * DAY);
    // Payments are never in the future.
    const paid = recent.filter(({ paidAt }) => paidAt === null || paidAt <= now.getTime());
    await fc.assert(
      fc.asyncProperty(fc.array(paid, { maxLength: 40 }), async (given) => {
        await storeHistories(pool, given);
        const { whole } = await readSteps(db, periodOf('12m'), now, false);
        const earnedSince = (from: number) =>
          sum(
            given.map(({ paidAt, lab, amountMinor, refundedMinor }) =>
              paidAt !== null && paidAt >= from && !lab ? amountMinor - refundedMinor : 0,
            ),
          );
        expect(await readQueueCounts(db, now)).toMatchObject({
          visa: whole.visa,
          insurance: whole.insurance,
          revenue: { minor: earnedSince(0) },
          revenueThisMonth: { minor: earnedSince(Date.parse('2026-11-01')) },
        });
      }),
      { numRuns: 15 },
    );
  });

  test('are nought, and nothing is missing, where nothing happened', async () => {
    await storeHistories(pool, []);
    const period = periodOf('7d');
    const read = await readSteps(db, period, now, false);
    expect(read).toEqual(recount(period, []));
    expect(read.steps).toHaveLength(7);
  });
});

test('the file of applications is read page by page without losing or repeating a line, also amid one moment', async () => {
  const period = periodOf('7d');
  await fc.assert(
    fc.asyncProperty(fc.array(histories, { maxLength: 12 }), async (given) => {
      const noon = Date.parse('2026-11-20T12:00:00Z');
      await storeHistories(
        pool,
        given.map((one, index) => ({
          ...one,
          createdAt: noon - Math.floor(index / 4),
          lab: false,
        })),
      );
      const whole = await submittedPage(db, period, null, 100);
      expect(whole).toHaveLength(given.length);
      const read: typeof whole = [];
      for (let page = await submittedPage(db, period, null, 2); page.length > 0;) {
        read.push(...page);
        page = await submittedPage(db, period, needed(page.at(-1)), 2);
      }
      expect(read).toEqual(whole);
    }),
    { numRuns: 5 },
  );
});
