import { useSearchParams } from 'react-router';
import {
  addDays,
  addMonths,
  daysInclusive,
  splitDate,
  UTC,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ListBusy, FilterForm } from '../frame/lists.tsx';
import { DayFilter, readDay } from '../frame/days.tsx';
import { formatCount } from '../frame/formats.ts';

export const ranges = ['7d', '30d', '90d', '12m'] as const;
export type Range = (typeof ranges)[number];
type PeriodStep = 'day' | 'week' | 'month';

/** Days of figures, both included, and the steps that charts divide them into. */
export type Period = {
  readonly first: PlainDate;
  readonly last: PlainDate;
  /** Its name; null where an address names days. */
  readonly range: Range | null;
  readonly step: PeriodStep;
  /** First day of every step, oldest first. The first step may be cut, the last may not be over. */
  readonly starts: readonly PlainDate[];
  /** More was asked for than is shown. */
  readonly isShortened: boolean;
};

type Days = Pick<Period, 'first' | 'last'>;

const rangeDays: Readonly<Record<Exclude<Range, '12m'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
};
/** Days shown where an address names the last one only. */
const DEFAULT_DAYS = 30;
/** Most days shown at once: a year, and as long as the audit trail knows who opened what. */
const MAX_DAYS = 366;

/**
 * Reads an address: days (`from`, `to`, up to today, in any order), or a range up to today (`range`), which by default
 * is the last 30 days; and its step (`by`).
 */
export const readPeriod = (query: URLSearchParams, today: PlainDate): Period =>
  inSteps(readDays(query, today) ?? readRange(query, today), query);

/** A period that an address names by its range. */
export type RangePeriod = Period & { readonly range: Range };

/** The same of an address that names no days: one of four periods, which are cached. */
export const readRangePeriod = (query: URLSearchParams, today: PlainDate): RangePeriod =>
  inSteps(readRange(query, today), query);

function inSteps<Of extends Days>(days: Of, query: URLSearchParams) {
  const steps = stepsFor(days);
  const step = steps.find((name) => name === query.get('by')) ?? steps[0];
  const starts: PlainDate[] = [];
  for (let start = days.first; start <= days.last; start = startAfter(start, step)) {
    starts.push(start);
  }
  return { ...days, step, starts };
}

function readDays(query: URLSearchParams, today: PlainDate) {
  const [from, to] = ['from', 'to'].map((name) => {
    const day = readDay(query.get(name) ?? '');
    return day && day > today ? today : day;
  });
  if (!from && !to) return null;
  const end = to ?? today;
  const start = from ?? addDays(end, 1 - DEFAULT_DAYS);
  const [first, last] = start <= end ? [start, end] : [end, start];
  const earliest = addDays(last, 1 - MAX_DAYS);
  const isShortened = first < earliest;
  return { first: isShortened ? earliest : first, last, range: null, isShortened };
}

/** Twelve months are this month and the eleven before it, complete. */
function readRange(query: URLSearchParams, today: PlainDate) {
  const range = ranges.find((name) => name === query.get('range')) ?? '30d';
  const first =
    range === '12m' ? addMonths(firstOfMonth(today), -11) : addDays(today, 1 - rangeDays[range]);
  return { first, last: today, range, isShortened: false };
}

/** The steps that a period may have, the default first: not one column, and not hundreds. */
export function stepsFor({ first, last }: Days): readonly [PeriodStep, ...PeriodStep[]] {
  const days = daysInclusive(first, last);
  if (days <= 7) return ['day'];
  if (days <= 31) return ['day', 'week'];
  return days <= 92 ? ['week', 'day', 'month'] : ['month', 'week'];
}

const firstOfMonth = (day: PlainDate): PlainDate => addDays(day, 1 - splitDate(day).day);

/** Weeks begin on Monday. */
const daysSinceMonday = (day: PlainDate): number => (new Date(day).getUTCDay() + 6) % 7;

function startAfter(start: PlainDate, step: PeriodStep): PlainDate {
  if (step === 'day') return addDays(start, 1);
  if (step === 'week') return addDays(start, 7 - daysSinceMonday(start));
  return addMonths(firstOfMonth(start), 1);
}

/** The first and the last day of a step; steps are counted from 0. */
export function daysOfStep({ starts, last }: Period, step: number): Days {
  const next = starts[step + 1];
  return { first: starts[step] ?? last, last: next ? addDays(next, -1) : last };
}

/** From the first moment of the period to the first after it, as the clocks of a zone have its days. */
export const spanOf = ({ first, last }: Days, timeZone: string = UTC) => ({
  from: startOfDay(first, timeZone),
  to: startOfDay(addDays(last, 1), timeZone),
});

/** The query of an address with the days of this period. */
export const periodQuery = ({ first, last }: Days, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({ from: first, to: last, ...more }).toString()}`;

/** The days of a report, chosen above its figures. `from`, `to`: labels, which say by whose clocks a day begins. */
export function PeriodForm({
  action,
  period: { first, last, isShortened },
  from,
  to,
}: {
  action: string;
  period: Period;
  from: string;
  to: string;
}) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const [query] = useSearchParams();
  const isNarrowed = query.has('from') || query.has('to');
  // A day of the period, unless somebody has typed one that is none.
  const readOf = (name: 'from' | 'to', day: PlainDate) => {
    const typed = (query.get(name) ?? '').trim();
    return typed === '' || readDay(typed) ? day : '';
  };
  return (
    <>
      <FilterForm action={action} query={isNarrowed ? `${first} ${last}` : ''}>
        <DayFilter label={from} name="from" read={readOf('from', first)} />
        <DayFilter label={to} name="to" read={readOf('to', last)} />
      </FilterForm>
      <ListBusy />
      {isShortened ? (
        <Notice className="mt-3" tone="blue">
          {t('shortened', { days: formatCount(MAX_DAYS, language) })}
        </Notice>
      ) : null}
    </>
  );
}
