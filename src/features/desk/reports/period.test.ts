import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { lastDayOf, periodOf, periodQuery, ranges, readPeriod, stepsOf } from './period.ts';

const day = (text: string): PlainDate => {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
};
const today = day('2026-11-21');

describe('a period', () => {
  test.each([
    ['7d', 'day', '2026-11-15', 7],
    ['30d', 'day', '2026-10-23', 30],
    // 23 October 2026 was a Friday: part of a week, four weeks, and this one.
    ['30d', 'week', '2026-10-23', 5],
    ['90d', 'month', '2026-08-24', 4],
    ['12m', 'month', '2025-12-01', 12],
  ] as const)('%s by %s begins on %s and has %i steps', (range, step, first, steps) => {
    const { starts, end } = periodOf(range, step, today);
    expect([starts[0], starts.length, end]).toEqual([first, steps, '2026-11-22']);
  });

  test('of weeks is cut on Mondays', () => {
    expect(periodOf('30d', 'week', today).starts).toEqual([
      '2026-10-23',
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ]);
  });

  test('is covered by its steps without gap or overlap, whatever day it is', () => {
    const days = fc.integer({ min: 0, max: 4000 }).map((n) => addDays(day('2024-01-01'), n));
    const shapes = ranges.flatMap((range) => stepsOf[range].map((step) => [range, step] as const));
    fc.assert(
      fc.property(days, fc.constantFrom(...shapes), (on, [range, step]) => {
        const period = periodOf(range, step, on);
        const lengths = period.starts.map(
          (start, index) => daysBetween(start, lastDayOf(period, index)) + 1,
        );
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        expect(Math.max(...lengths)).toBeLessThanOrEqual({ day: 1, week: 7, month: 31 }[step]);
        expect(
          addDays(
            period.starts[0] ?? on,
            lengths.reduce((a, b) => a + b),
          ),
        ).toBe(period.end);
        expect(lastDayOf(period, lengths.length - 1)).toBe(on);
      }),
    );
  });
});

describe('an address', () => {
  test.each([
    ['', '30d', 'day'],
    ['?range=12m', '12m', 'month'],
    ['?range=90d&by=day', '90d', 'day'],
    // Thirty columns are days or weeks; a year has too many days.
    ['?range=12m&by=day', '12m', 'month'],
    ['?range=5y&by=hour', '30d', 'day'],
  ])('%j asks for %s by %s', (address, range, step) => {
    expect(readPeriod(new URLSearchParams(address), today)).toMatchObject({ range, step });
  });

  test('is read back as it was written', () => {
    const query = new URLSearchParams(periodQuery('90d', 'month'));
    expect(readPeriod(query, today)).toEqual(periodOf('90d', 'month', today));
  });
});
