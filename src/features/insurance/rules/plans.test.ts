import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '~/base/money.ts';
import { longestTrip, planFor, planNamed, plans } from './plans.ts';

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
    expect(planFor(plans, days)?.id).toBe(id);
  });

  it('does not exist beyond the longest', () => {
    expect(planFor(plans, 366)).toBeNull();
  });

  it('covers it, and no shorter or cheaper one does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), (days) => {
        const chosen = planFor(plans, days);
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
          const cost = (days: number) => planFor(plans, days)?.price.minor ?? Number.NaN;
          expect(cost(longer)).toBeGreaterThanOrEqual(cost(shorter));
        },
      ),
    );
  });
});
