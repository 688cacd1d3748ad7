import { describe, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { daysLeft, answerDueDate } from './privacy-case.ts';
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
    expect(answerDueDate(day(arrived))).toBe(due);
  });

  test('is counted down to nought, then below', () => {
    expect(daysLeft(day('2026-11-24'), day('2026-11-24'))).toBe(30);
    expect(daysLeft(day('2026-11-24'), day('2026-12-24'))).toBe(0);
    expect(daysLeft(day('2026-11-24'), day('2026-12-25'))).toBe(-1);
  });
});
