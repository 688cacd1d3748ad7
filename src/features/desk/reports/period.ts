import { addDays, addMonths, partsOf, type PlainDate } from '~/base/dates/dates.ts';

export const ranges = ['7d', '30d', '90d', '12m'] as const;
export type Range = (typeof ranges)[number];
export type Step = 'day' | 'week' | 'month';

/** The steps of each range, the default first: not one column, and not hundreds. */
export const stepsOf: Readonly<Record<Range, readonly [Step, ...Step[]]>> = {
  '7d': ['day'],
  '30d': ['day', 'week'],
  '90d': ['week', 'day', 'month'],
  '12m': ['month', 'week'],
};

/** A range of UTC days up to today, divided into steps. The first step may be cut, the last is not complete. */
export type Period = {
  readonly range: Range;
  readonly step: Step;
  /** First day of every step, oldest first; the first is the first day of the period. */
  readonly starts: readonly PlainDate[];
  /** The first day after the period: tomorrow. */
  readonly end: PlainDate;
};

const days: Readonly<Record<Exclude<Range, '12m'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/** Twelve months are this month and the eleven before it, complete. */
export function periodOf(range: Range, step: Step, today: PlainDate): Period {
  const first =
    range === '12m' ? addMonths(firstOfMonth(today), -11) : addDays(today, 1 - days[range]);
  const starts: PlainDate[] = [];
  for (let start = first; start <= today; start = startAfter(start, step)) starts.push(start);
  return { range, step, starts, end: addDays(today, 1) };
}

const firstOfMonth = (day: PlainDate): PlainDate => addDays(day, 1 - partsOf(day).day);

/** Weeks begin on Monday. */
const daysSinceMonday = (day: PlainDate): number => (new Date(day).getUTCDay() + 6) % 7;

function startAfter(start: PlainDate, step: Step): PlainDate {
  if (step === 'day') return addDays(start, 1);
  if (step === 'week') return addDays(start, 7 - daysSinceMonday(start));
  return addMonths(firstOfMonth(start), 1);
}

/** The last day of a step; steps are counted from 0. */
export const lastDayOf = ({ starts, end }: Period, step: number): PlainDate =>
  addDays(starts[step + 1] ?? end, -1);

/** Reads an address's query; the default is the last 30 days, in the range's default step. */
export function readPeriod(query: URLSearchParams, today: PlainDate): Period {
  const range = ranges.find((name) => name === query.get('range')) ?? '30d';
  const steps = stepsOf[range];
  const step = steps.find((name) => name === query.get('by')) ?? steps[0];
  return periodOf(range, step, today);
}

/** The query of an address with this period. */
export const periodQuery = (range: Range, step: Step, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({ range, by: step, ...more }).toString()}`;
