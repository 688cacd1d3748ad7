import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysInclusive, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { daysOfStep, periodQuery, ranges, readPeriod, spanOf } from './period.tsx';

const day = (text: string): PlainDate => {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
};
const today = day('2026-11-24');
const read = (query: string, on = today) => readPeriod(new URLSearchParams(query), on);

describe('the period of an address', () => {
  test.each([
    ['', '2026-10-26', '2026-11-24', false],
    ['from=2026-11-01', '2026-11-01', '2026-11-24', false],
    ['from=1 Nov 2026&to=5.11.2026', '2026-11-01', '2026-11-05', false],
    ['to=2026-06-30', '2026-06-01', '2026-06-30', false],
    ['from=2026-11-05&to=2026-11-01', '2026-11-01', '2026-11-05', false],
    ['from=2027-01-01&to=2027-02-01', '2026-11-24', '2026-11-24', false],
    ['from=nonsense', '2026-10-26', '2026-11-24', false],
    ['to=1000-01-01', '2026-10-26', '2026-11-24', false],
    ['from=1000-01-01&to=1000-06-01', '2026-10-26', '2026-11-24', false],
    ['from=2020-01-01', '2025-11-24', '2026-11-24', true],
  ])('%s is %s to %s', (query, first, last, isShortened) => {
    expect(read(query)).toMatchObject({ first, last, isShortened });
  });

  test.each([
    // 26 October 2026 was a Monday, the 24th of November a Tuesday.
    ['', '30d', 'week', '2026-10-26', 5],
    ['range=7d', '7d', 'day', '2026-11-18', 7],
    ['range=90d', '90d', 'week', '2026-08-27', 14],
    ['range=12m', '12m', 'month', '2025-12-01', 12],
    ['range=5y', '30d', 'week', '2026-10-26', 5],
    ['from=2026-01-01', null, 'month', '2026-01-01', 11],
  ])('%s is %s by %s from %s in %i steps', (query, range, step, first, steps) => {
    const period = read(query);
    expect(period).toMatchObject({ range, step, first, last: today });
    expect([period.starts[0], period.starts.length]).toEqual([first, steps]);
  });

  test('is read from its own address', () => {
    const period = read('from=2026-11-01&to=2026-11-05');
    expect(read(periodQuery(period).slice(1))).toEqual(period);
  });

  test('has both of its days whole, in Türkiye', () => {
    const period = read('from=2026-11-05&to=2026-11-05');
    expect(spanOf(period)).toEqual({
      from: new Date('2026-11-04T21:00:00Z'),
      to: new Date('2026-11-05T21:00:00Z'),
    });
  });
});

describe('the steps of a period', () => {
  test('of weeks begin on Mondays', () => {
    expect(read('range=30d', day('2026-11-21')).starts).toEqual([
      '2026-10-23',
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ]);
  });

  test('cover it without gap or overlap, whatever day it is', () => {
    const days = fc.integer({ min: 0, max: 4000 }).map((n) => addDays(day('2024-01-01'), n));
    fc.assert(
      fc.property(days, fc.constantFrom(...ranges), (on, range) => {
        const period = read(`range=${range}`, on);
        let next = period.first;
        for (const step of period.starts.keys()) {
          const { first, last } = daysOfStep(period, step);
          expect(first).toBe(next);
          const length = daysInclusive(first, last);
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual({ day: 1, week: 7, month: 31 }[period.step]);
          next = addDays(last, 1);
        }
        expect(next).toBe(addDays(on, 1));
      }),
    );
  });
});
