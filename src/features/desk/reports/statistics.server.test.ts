import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { useDatabase } from '../../../../test/database.ts';
import { statistics } from '../queue/statistics.server.ts';
import { storeHistories, type History } from '../application/testing/many-applications.server.ts';
import { countPromises } from './workload-store.server.ts';
import { readStatistics } from './statistics.server.ts';
import { TOP_NATIONALITIES } from './charts.ts';
import { periodOf, ranges, stepsOf, type Period } from './period.ts';

const { db, pool } = await useDatabase();
const now = new Date('2026-11-21T15:30:00Z');
const today = parseDate('2026-11-21');
if (!today) throw new Error('A day');
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

/** The step of a moment, from its UTC day as text; null outside the period. */
function stepAt(period: Period, at: number | null): number | null {
  if (at === null) return null;
  const day = new Date(at).toISOString().slice(0, 10);
  const first: PlainDate | undefined = period.starts[0];
  if (!first || day < first || day >= period.end) return null;
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

/** The same statistics, computed naively. */
function recount(period: Period, given: readonly History[]) {
  const real = given.filter(({ lab }) => !lab);
  const at = (step: number, moment: (one: History) => number | null) =>
    real.filter((one) => stepAt(period, moment(one)) === step);
  const steps = period.starts.map((_, step) => step);
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
  const both = (step: number | null) => ({
    ...decisionsOf(decidedIn(step)),
    ...promisesOf(dueIn(step)),
  });
  const submitted = real.filter((one) => stepAt(period, one.createdAt) !== null);
  const codes = [...new Set(submitted.map(({ country }) => country))];
  return {
    asOf: now,
    submitted: steps.map((step) => kinds(at(step, (one) => one.createdAt))),
    revenue: steps.map((step) => {
      const paid = at(step, (one) => one.paidAt);
      return {
        paid: { minor: sum(paid.map(({ amountMinor }) => amountMinor)), currency: 'USD' },
        refunded: { minor: sum(paid.map(({ refundedMinor }) => refundedMinor)), currency: 'USD' },
      };
    }),
    decisions: steps.map((step) => both(step)),
    allDecisions: both(null),
    nationalities: codes
      .map((code) => ({ code, ...kinds(submitted.filter(({ country }) => country === code)) }))
      .toSorted((a, b) => b.visa + b.insurance - a.visa - a.insurance || (a.code < b.code ? -1 : 1))
      .slice(0, TOP_NATIONALITIES),
  };
}

const shapes = ranges.flatMap((range) => stepsOf[range].map((step) => [range, step] as const));

describe('the statistics of a period', () => {
  test(
    'are what counting one by one comes to, whatever happened',
    { timeout: 60_000 },
    async () => {
      const all = fc.array(histories, { maxLength: 60, size: 'max' });
      await fc.assert(
        fc.asyncProperty(all, fc.constantFrom(...shapes), async (given, [range, step]) => {
          await storeHistories(pool, given);
          const period = periodOf(range, step, today);
          const read = await readStatistics(db, period, now);
          expect(read).toEqual(recount(period, given));
          // The page of work says the same of the same days.
          const from = new Date(period.starts[0] ?? period.end);
          const rows = await countPromises(db, { from, to: now });
          expect({
            due: sum(rows.map(({ due }) => due)),
            kept: sum(rows.map(({ kept }) => kept)),
          }).toEqual({ due: read.allDecisions.due, kept: read.allDecisions.kept });
        }),
        { numRuns: 40 },
      );
    },
  );

  test('of twelve months come to what the cards count, if nothing is older', async () => {
    const recent = histories.filter(({ createdAt }) => createdAt > now.getTime() - 300 * DAY);
    // Payments are never in the future.
    const paid = recent.filter(({ paidAt }) => paidAt === null || paidAt <= now.getTime());
    const period = periodOf('12m', 'month', today);
    await fc.assert(
      fc.asyncProperty(fc.array(paid, { maxLength: 40 }), async (given) => {
        await storeHistories(pool, given);
        const { submitted, revenue } = await readStatistics(db, period, now);
        expect(await statistics(db, now)).toMatchObject({
          visa: sum(submitted.map(({ visa }) => visa)),
          insurance: sum(submitted.map(({ insurance }) => insurance)),
          revenue: {
            minor: sum(revenue.map(({ paid: all, refunded }) => all.minor - refunded.minor)),
          },
          revenueThisMonth: {
            minor: sum(revenue.slice(-1).map((one) => one.paid.minor - one.refunded.minor)),
          },
        });
      }),
      { numRuns: 15 },
    );
  });

  test('are nought, and nothing is missing, where nothing happened', async () => {
    await storeHistories(pool, []);
    const period = periodOf('7d', 'day', today);
    const statistics = await readStatistics(db, period, now);
    expect(statistics).toEqual(recount(period, []));
    expect(statistics.submitted).toHaveLength(7);
    expect(statistics.allDecisions.medianMs).toBeNull();
  });
});
