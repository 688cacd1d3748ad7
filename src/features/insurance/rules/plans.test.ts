import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '~/base/money.ts';
import {
  longestTrip,
  shortestPlan,
  planNamed,
  plans,
  lastInsuredDay,
  selectPlan,
  tripDays,
} from './plans.ts';
import type { FormChoice } from '~/base/default-choice.ts';
import { isMinor, addDays, isPlainDate, type PlainDate } from '~/base/dates/dates.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { reviewDeadline } from '../certificate/certificate-job.server.ts';

describe('the price list', () => {
  it('has the seven plans of the specification with their prices', () => {
    expect(plans.map(({ id, name, days, price }) => [id, name, days, toDecimal(price)])).toEqual([
      ['7-days', '7 Days Coverage', 7, '114.00'],
      ['14-days', '14 Days Coverage', 14, '149.00'],
      ['30-days', '30 Days Coverage', 30, '189.00'],
      ['60-days', '60 Days Coverage', 60, '249.00'],
      ['90-days', '90 Days Coverage', 90, '299.00'],
      ['180-days', '180 Days Coverage', 180, '399.00'],
      ['1-year', '1 Year Coverage', 365, '549.00'],
    ]);
  });

  it('sells nothing for longer than a year', () => {
    expect(longestTrip(plans)).toBe(365);
    expect(longestTrip([])).toBe(0);
  });

  it('finds a plan by its id alone', () => {
    expect(planNamed(plans, '1-year')?.days).toBe(365);
    expect(planNamed(plans, '1 Year Coverage')).toBeNull();
    expect(planNamed(plans, '')).toBeNull();
  });
});

describe('the plan for a trip', () => {
  it.each([
    [1, '7-days'],
    [7, '7-days'],
    [8, '14-days'],
    [14, '14-days'],
    [15, '30-days'],
    [30, '30-days'],
    [31, '60-days'],
    [61, '90-days'],
    [91, '180-days'],
    [181, '1-year'],
    [365, '1-year'],
  ])('of %i days is %s', (days, id) => {
    expect(shortestPlan(plans, days)?.id).toBe(id);
  });

  it('does not exist beyond the longest', () => {
    expect(shortestPlan(plans, 366)).toBeNull();
  });

  it('covers it, and no shorter or cheaper one does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), (days) => {
        const chosen = shortestPlan(plans, days);
        if (!chosen) throw new Error(`no plan for ${days} days`);
        expect(chosen.days).toBeGreaterThanOrEqual(days);
        for (const other of plans) {
          if (other.days < days) continue;
          expect(other.days).toBeGreaterThanOrEqual(chosen.days);
          expect(other.price.minor).toBeGreaterThanOrEqual(chosen.price.minor);
        }
      }),
    );
  });

  it('never costs less for a longer trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 365 }),
        fc.integer({ min: 1, max: 365 }),
        (one, other) => {
          const [shorter, longer] = one < other ? [one, other] : [other, one];
          const cost = (days: number) => shortestPlan(plans, days)?.price.minor ?? Number.NaN;
          expect(cost(longer)).toBeGreaterThanOrEqual(cost(shorter));
        },
      ),
    );
  });
});

const day = (text: string): PlainDate => {
  if (!isPlainDate(text)) throw new Error(text);
  return text;
};

const nothing: FormChoice = { wish: '', selected: '' };
const wished = (wish: string): FormChoice => ({ wish, selected: wish });

const anyDay = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays(day('1950-01-01'), days));

describe('a minor', () => {
  it.each([
    ['2008-12-13', '2026-12-12', true, 'turns 18 the day after'],
    ['2008-12-12', '2026-12-12', false, 'turns 18 on the travel date'],
    ['2008-02-29', '2026-02-28', true, 'born on a leap day, the day before 1 March'],
    ['2008-02-29', '2026-03-01', false, 'born on a leap day, 1 March of an ordinary year'],
    ['2006-02-28', '2024-02-28', false, 'born the day before a leap day'],
    ['2006-03-01', '2024-02-29', true, 'turns 18 the day after a leap day'],
    ['2026-12-01', '2026-12-12', true, 'a newborn'],
    ['1991-07-14', '2026-12-12', false, 'an adult'],
  ])('born %s travelling %s: %s (%s)', (birth, travel, expected) => {
    expect(isMinor(day(birth), day(travel))).toBe(expected);
  });

  it('grows up once and for all', () => {
    fc.assert(
      fc.property(anyDay, anyDay, fc.integer({ min: 0, max: 10_000 }), (birth, travel, later) => {
        if (!isMinor(birth, travel)) expect(isMinor(birth, addDays(travel, later))).toBe(false);
      }),
    );
  });
});

describe('the length of a trip', () => {
  it.each([
    ['2026-12-12', '2026-12-13', 2],
    ['2026-12-12', '2026-12-18', 7],
    ['2027-02-27', '2027-03-01', 3],
    ['2028-02-27', '2028-03-01', 4],
    ['2027-01-01', '2027-12-31', 365],
    ['2028-01-01', '2028-12-31', 366],
  ])('from %s to %s is %i days', (from, to, days) => {
    expect(tripDays(day(from), day(to))).toBe(days);
  });

  it.each([
    ['2026-12-12', '2026-12-12'],
    ['2026-12-12', '2026-12-11'],
  ])('from %s to %s is none', (from, to) => {
    expect(tripDays(day(from), day(to))).toBeNull();
  });

  it('counts the first day and the last', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 1000 }), (from, nights) => {
        expect(tripDays(from, addDays(from, nights))).toBe(nights + 1);
      }),
    );
  });
});

describe('the cover', () => {
  it('lasts as long as the plan, both days included', () => {
    expect(lastInsuredDay(day('2026-12-12'), { days: 30 })).toBe('2027-01-10');
    expect(lastInsuredDay(day('2028-01-01'), { days: 365 })).toBe('2028-12-30');
  });

  it('reaches the return of every trip that its plan is chosen for', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 364 }), (from, nights) => {
        const until = addDays(from, nights);
        const { chosen } = selectPlan(plans, tripDays(from, until), nothing);
        if (!chosen) throw new Error('no plan');
        expect(lastInsuredDay(from, chosen) >= until).toBe(true);
      }),
    );
  });
});

describe('the choice of plans', () => {
  const wishes = fc.constantFrom('', 'no such plan', ...plans.map(({ id }) => id));

  it('is free, with nothing chosen, until the dates are known', () => {
    const { offers, chosen } = selectPlan(plans, null, nothing);
    expect(offers.every(({ isTooShort }) => !isTooShort)).toBe(true);
    expect(chosen).toBeNull();
    expect(selectPlan(plans, null, wished('60-days')).chosen?.id).toBe('60-days');
  });

  it('begins with the shortest plan that covers the trip', () => {
    const { offers, chosen } = selectPlan(plans, 10, nothing);
    expect(chosen?.id).toBe('14-days');
    expect(offers.filter(({ isTooShort }) => isTooShort).map(({ plan }) => plan.id)).toEqual([
      '7-days',
    ]);
  });

  it('keeps a longer plan that the visitor chose, and drops one that became too short', () => {
    expect(selectPlan(plans, 10, wished('90-days')).chosen?.id).toBe('90-days');
    expect(selectPlan(plans, 100, wished('90-days')).chosen?.id).toBe('180-days');
  });

  it('offers all plans in order, and never chooses one that is too short', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), wishes, (days, wish) => {
        const { offers, chosen } = selectPlan(plans, days, wished(wish));
        expect(offers.map(({ plan }) => plan)).toEqual(plans);
        for (const { plan, isTooShort } of offers) expect(isTooShort).toBe(plan.days < days);
        if (days > 365) expect(chosen).toBeNull();
        else expect(chosen?.days).toBeGreaterThanOrEqual(days);
      }),
    );
  });
});

it.each([
  ['2026-11-23T09:00:41Z', '2026-11-23T17:00:00Z', 'in the morning: the same day'],
  ['2026-11-23T10:00:00Z', '2026-11-23T18:00:00Z', 'until closing time'],
  ['2026-11-24T16:30:00Z', '2026-11-25T15:30:00Z', 'over a night'],
  ['2026-11-20T17:00:00Z', '2026-11-23T16:00:00Z', 'over a weekend'],
  ['2026-11-21T03:12:00Z', '2026-11-23T17:00:00Z', 'paid on a Saturday: from the next opening'],
])('paid at %s, a review is promised by %s (%s)', (paidAt, promisedAt) => {
  expect(reviewDeadline(new Date(paidAt), firstOffice)).toEqual(new Date(promisedAt));
});
