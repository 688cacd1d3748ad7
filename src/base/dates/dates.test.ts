import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addDays,
  addMonths,
  ageOn,
  compareDates,
  dateOf,
  daysBetween,
  daysInclusive,
  isPlainDate,
  parseDate,
  partsOf,
  type PlainDate,
} from './dates.ts';

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(`${text} is no date`);
  return date;
}

const anyDay = fc.integer({ min: 0, max: 200_000 }).map((days) => addDays(day('1600-01-01'), days));

describe('a date', () => {
  test.each(['2027-03-05', '2028-02-29', '2000-02-29', '1000-01-01', '9999-12-31'])(
    '%s is one',
    (text) => {
      expect(parseDate(text)).toBe(text);
    },
  );

  test.each([
    '2027-02-29',
    '1900-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-5',
    '27-01-05',
    '0027-01-05',
    '+02027-01-05',
    '-2027-01-05',
    '2027-03-05T00:00:00Z',
    '2027/03/05',
    '05-03-2027',
    ' 2027-03-05',
    '2027-03-05\n',
    '٢٠٢٧-٠٣-٠٥',
    '',
    'unlimited',
  ])('%j is none', (text) => {
    expect(parseDate(text)).toBeNull();
  });

  it('is taken exactly when the calendar knows the day', () => {
    const two = (part: number) => String(part).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, date) => {
          const at = new Date(Date.UTC(year, month - 1, date));
          const real =
            at.getUTCFullYear() === year &&
            at.getUTCMonth() === month - 1 &&
            at.getUTCDate() === date;
          expect(isPlainDate(`${year}-${two(month)}-${two(date)}`)).toBe(real);
        },
      ),
    );
  });

  it('has parts', () => {
    expect(partsOf(day('2027-03-05'))).toEqual({ year: 2027, month: 3, day: 5 });
  });
});

describe('reckoning with days', () => {
  it('goes forth and back again', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -5000, max: 5000 }), (from, days) => {
        const to = addDays(from, days);
        expect(daysBetween(from, to)).toBe(days);
        expect(addDays(to, -days)).toBe(from);
        expect(Math.sign(compareDates(to, from))).toBe(Math.sign(days));
      }),
    );
  });

  it('counts both ends of a trip', () => {
    expect(daysInclusive(day('2027-03-05'), day('2027-03-05'))).toBe(1);
    expect(daysInclusive(day('2027-02-26'), day('2027-03-04'))).toBe(7);
  });

  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-05-31', 6, '2026-11-30'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-08-20', 0, '2026-08-20'],
  ])('%s and %d months is %s', (from, months, to) => {
    expect(addMonths(day(from), months)).toBe(to);
  });

  it('lands in the month meant, never past its end', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -600, max: 600 }), (from, months) => {
        const before = partsOf(from);
        const after = partsOf(addMonths(from, months));
        expect(after.year * 12 + after.month).toBe(before.year * 12 + before.month + months);
        expect(after.day).toBeLessThanOrEqual(before.day);
      }),
    );
  });

  it('does not leave the years 1000 to 9999', () => {
    expect(() => addDays(day('9999-12-31'), 1)).toThrow(RangeError);
    expect(() => addDays(day('1000-01-01'), -1)).toThrow(RangeError);
    expect(() => addMonths(day('9999-12-31'), 1)).toThrow(RangeError);
  });
});

describe('age', () => {
  test.each([
    ['2008-11-20', '2026-11-19', 17],
    ['2008-11-20', '2026-11-20', 18],
    ['2008-11-20', '2026-11-21', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['2026-11-19', '2026-11-19', 0],
    ['2026-11-20', '2026-11-19', -1],
  ])('born %s, on %s: %d', (birth, on, age) => {
    expect(ageOn(day(birth), day(on))).toBe(age);
  });

  it('rises by one a year and never falls', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 40_000 }), (birth, days) => {
        const on = addDays(birth, days);
        expect(ageOn(birth, addDays(on, 1))).toBeGreaterThanOrEqual(ageOn(birth, on));
        expect(ageOn(birth, addMonths(on, 12)) - ageOn(birth, on)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the day of a moment', () => {
  test.each([
    ['2026-11-19T20:59:59Z', 'UTC', '2026-11-19'],
    ['2026-11-19T20:59:59Z', 'Europe/Istanbul', '2026-11-19'],
    ['2026-11-19T21:00:00Z', 'Europe/Istanbul', '2026-11-20'],
    ['2026-12-31T23:00:00Z', 'Asia/Tokyo', '2027-01-01'],
    ['2027-01-01T04:59:00Z', 'America/New_York', '2026-12-31'],
  ])('%s in %s is %s', (instant, zone, date) => {
    expect(dateOf(new Date(instant), zone)).toBe(date);
  });
});
