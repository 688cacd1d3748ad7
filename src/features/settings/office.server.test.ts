import { expect, test } from 'vitest';
import { addDays, addMonths, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import {
  areApart,
  CLOSURE_YEARS_AHEAD,
  closureProblem,
  MOST_CLOSED_DAYS,
  type ClosureProblem,
} from './office.server.ts';

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
}
const today = day('2026-11-23');
const standing = [{ from: '2026-12-24', to: '2026-12-31' }];
const last = addMonths(today, 12 * CLOSURE_YEARS_AHEAD);

test.each<[string, string, ClosureProblem | null]>([
  ['2026-11-23', '2026-11-23', null],
  ['2026-11-22', '2026-11-23', 'closure_past'],
  ['2026-12-02', '2026-12-01', 'closure_backwards'],
  ['2027-01-01', addDays(day('2027-01-01'), MOST_CLOSED_DAYS - 1), null],
  ['2027-01-01', addDays(day('2027-01-01'), MOST_CLOSED_DAYS), 'closure_long'],
  [last, last, null],
  [last, addDays(last, 1), 'closure_far'],
  ['2026-12-20', '2026-12-23', null],
  ['2026-12-20', '2026-12-24', 'closure_overlaps'],
  ['2026-12-25', '2026-12-26', 'closure_overlaps'],
  ['2026-12-20', '2027-01-05', 'closure_overlaps'],
  ['2026-12-31', '2026-12-31', 'closure_overlaps'],
  ['2027-01-01', '2027-01-01', null],
])('closed from %s to %s: %s', (from, to, problem) => {
  expect(closureProblem({ from: day(from), to: day(to) }, standing, today)).toBe(problem);
});

test('closures hold together while no two share a day', () => {
  const next = { from: '2027-01-01', to: '2027-01-02' };
  expect(areApart([...standing, next])).toBe(true);
  expect(areApart([...standing, next, { from: '2026-12-31', to: '2026-12-31' }])).toBe(false);
});
