import { describe, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { daysLeft, dueOn, mayExtend } from './privacy-case.ts';
import { needed } from '../../../../test/needed.ts';

const day = (text: string) => needed(parseDate(text));

describe('the last day to answer', () => {
  test.each([
    ['2026-11-24', '2026-12-24'],
    ['2026-12-24', '2027-01-23'],
    // A month after the last of January is the last of February, before thirty days are over.
    ['2027-01-31', '2027-02-28'],
    ['2027-02-01', '2027-03-01'],
    ['2028-01-31', '2028-02-29'],
  ])('of a request of %s is %s', (arrived, due) => {
    expect(dueOn(day(arrived), false)).toBe(due);
  });

  test('is two months later where it was extended', () => {
    expect(dueOn(day('2026-11-30'), true)).toBe('2027-02-28');
  });

  test('is counted down to nought, then below', () => {
    expect(daysLeft(day('2026-11-24'), false, day('2026-11-24'))).toBe(30);
    expect(daysLeft(day('2026-11-24'), false, day('2026-12-24'))).toBe(0);
    expect(daysLeft(day('2026-11-24'), false, day('2026-12-25'))).toBe(-1);
  });
});

describe('an extension', () => {
  const request = { law: 'gdpr', arrivedOn: day('2026-11-24'), isExtended: false } as const;
  test('is for the GDPR alone, once, until the first month is over', () => {
    expect(mayExtend(request, day('2026-12-24'))).toBe(true);
    expect(mayExtend(request, day('2026-12-25'))).toBe(false);
    expect(mayExtend({ ...request, law: 'kvkk' }, day('2026-12-01'))).toBe(false);
    expect(mayExtend({ ...request, isExtended: true }, day('2026-12-01'))).toBe(false);
  });
});
