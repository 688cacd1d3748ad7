import { describe, expect, test } from 'vitest';
import { parseDate, TURKIYE } from '~/base/dates/dates.ts';
import { periodDays, readDayPeriod, spanOfDays } from './days.tsx';

const today = parseDate('2026-11-24');
if (!today) throw new Error('A day');
const read = (query: string) => readDayPeriod(new URLSearchParams(query), today);

describe('the period of an address', () => {
  test.each([
    ['', '2026-10-26', '2026-11-24', false],
    ['from=2026-11-01', '2026-11-01', '2026-11-24', false],
    ['from=1 Nov 2026&to=5.11.2026', '2026-11-01', '2026-11-05', false],
    ['to=2026-06-30', '2026-06-01', '2026-06-30', false],
    ['from=2026-11-05&to=2026-11-01', '2026-11-01', '2026-11-05', false],
    ['from=2027-01-01&to=2027-02-01', '2026-11-24', '2026-11-24', false],
    ['from=nonsense', '2026-10-26', '2026-11-24', false],
    ['from=2020-01-01', '2025-11-24', '2026-11-24', true],
  ])('%s is %s to %s', (query, first, last, isShortened) => {
    expect(read(query)).toEqual({ first, last, isShortened });
  });

  test('is read from its own address', () => {
    const period = read('from=2026-11-01&to=2026-11-05');
    expect(read(periodDays(period).slice(1))).toEqual(period);
  });

  test('has both of its days whole', () => {
    expect(spanOfDays(read('from=2026-11-05&to=2026-11-05'))).toEqual({
      from: new Date('2026-11-05T00:00:00Z'),
      to: new Date('2026-11-06T00:00:00Z'),
    });
    expect(spanOfDays(read('from=2026-11-05&to=2026-11-05'), TURKIYE)).toEqual({
      from: new Date('2026-11-04T21:00:00Z'),
      to: new Date('2026-11-05T21:00:00Z'),
    });
  });
});
