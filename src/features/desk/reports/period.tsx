import { useSearchParams } from 'react-router';
import {
  addDays,
  addMonths,
  daysInclusive,
  splitDate,
  TURKIYE,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ListBusy, FilterForm } from '../frame/lists.tsx';
import { DayFilter, readDay } from '../frame/days.tsx';
import { Pill, Pills } from '../frame/panel.tsx';
import { formatCount } from '../frame/formats.ts';

export const ranges = ['7d', '30d', '90d', '12m'] as const;
type Range = (typeof ranges)[number];
type PeriodStep = 'day' | 'week' | 'month';

/** Days of figures by the clock in Türkiye, as bookkeeping has them, both included, and the steps that divide them. */
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

export type Days = Pick<Period, 'first' | 'last'>;

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
 * is the last 30 days.
 */
export function readPeriod(query: URLSearchParams, today: PlainDate): Period {
  const days = readDays(query, today) ?? readRange(query, today);
  const step = stepFor(days);
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

/** A page has neither one row nor hundreds. */
function stepFor({ first, last }: Days): PeriodStep {
  const days = daysInclusive(first, last);
  if (days <= 14) return 'day';
  return days <= 92 ? 'week' : 'month';
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

/** From the first moment of the period to the first after it. */
export const spanOf = ({ first, last }: Days) => ({
  from: startOfDay(first, TURKIYE),
  to: startOfDay(addDays(last, 1), TURKIYE),
});

/** The query of an address with the days of this period. */
export const periodQuery = ({ first, last }: Days, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({ from: first, to: last, ...more }).toString()}`;

/** The days of the figures, chosen above them. */
export function PeriodForm({ period: { first, last, range, isShortened } }: { period: Period }) {
  const { t, language } = useTranslation('figures');
  const [query] = useSearchParams();
  // A day of the period, unless somebody has typed one that is none.
  const readOf = (name: 'from' | 'to', day: PlainDate) => {
    const typed = (query.get(name) ?? '').trim();
    return typed === '' || readDay(typed) ? day : '';
  };
  return (
    <div className="grid gap-2 print:hidden">
      <Pills className="*:min-h-11" label={t('range.label')}>
        {ranges.map((name) => (
          <Pill
            aria-current={name === range ? 'page' : undefined}
            key={name}
            preventScrollReset
            to={`?range=${name}`}
          >
            {t(`range.${name}`)}
          </Pill>
        ))}
      </Pills>
      <FilterForm action="/admin/figures" query={range === null ? `${first} ${last}` : ''}>
        <DayFilter label={t('from')} name="from" read={readOf('from', first)} />
        <DayFilter label={t('to')} name="to" read={readOf('to', last)} />
      </FilterForm>
      <ListBusy />
      {isShortened ? (
        <Notice tone="blue">{t('shortened', { days: formatCount(MAX_DAYS, language) })}</Notice>
      ) : null}
    </div>
  );
}
