import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { initials, validity } from '../verify.tsx';

const day = (text: string): PlainDate => {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
};

const issued = {
  status: 'approved' as const,
  cancelledAt: null,
  from: day('2026-12-12'),
  until: day('2027-01-10'),
};

describe('a certificate', () => {
  it.each([
    ['2026-12-11', 'not_yet'],
    ['2026-12-12', 'valid'],
    ['2027-01-10', 'valid'],
    ['2027-01-11', 'expired'],
  ] as const)('is, on %s, %s', (today, expected) => {
    expect(validity(issued, day(today))).toBe(expected);
  });

  it('that was cancelled is cancelled on every day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), (days) => {
        const cancelled = { ...issued, cancelledAt: new Date('2026-12-01T00:00:00Z') };
        expect(validity(cancelled, addDays(issued.from, days))).toBe('cancelled');
        expect(validity({ ...issued, status: 'rejected' }, addDays(issued.from, days))).toBe(
          'cancelled',
        );
      }),
    );
  });

  it.each(['pending', 'processing'] as const)('does not exist while %s', (status) => {
    expect(validity({ ...issued, status }, issued.from)).toBe('unknown');
  });

  it('of nobody is unknown', () => {
    expect(validity(null, issued.from)).toBe('unknown');
  });
});

describe('initials', () => {
  it.each([
    ['Sofía', 'Hernández Ruiz', 'S. H. R.'],
    ['anne-marie', "o'neill", 'A. M. O.'],
    ['Ömer', 'İnan', 'Ö. İ.'],
    ['', '', ''],
  ])('of %s %s are %s', (first, last, expected) => {
    expect(initials(first, last)).toBe(expected);
  });
});
