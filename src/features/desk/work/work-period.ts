import { addDays, type PlainDate } from '~/base/dates/dates.ts';
import { readDay } from '../day-filter/typed-day.ts';

/** Days shown where the address names none. */
export const DEFAULT_DAYS = 30;
/** Most days shown at once: a year, and as long as the audit trail knows who opened what. */
export const MOST_DAYS = 366;

/** UTC days, both included. */
export type WorkPeriod = {
  readonly first: PlainDate;
  readonly last: PlainDate;
  /** More was asked for than is shown. */
  readonly isShortened: boolean;
};

/**
 * Reads `from` and `to` of an address: up to today, at most `MOST_DAYS`, by default the last `DEFAULT_DAYS`. Two days
 * in the wrong order are put in order.
 */
export function readWorkPeriod(query: URLSearchParams, today: PlainDate): WorkPeriod {
  const notLater = (day: PlainDate | null) => (day && day > today ? today : day);
  const from = notLater(readDay(query.get('from') ?? ''));
  const to = notLater(readDay(query.get('to') ?? '')) ?? today;
  const start = from ?? addDays(to, 1 - DEFAULT_DAYS);
  const [first, last] = start <= to ? [start, to] : [to, start];
  const earliest = addDays(last, 1 - MOST_DAYS);
  return first < earliest
    ? { first: earliest, last, isShortened: true }
    : { first, last, isShortened: false };
}

/** From the first moment of the period to the first after it. */
export const spanOfDays = ({ first, last }: Pick<WorkPeriod, 'first' | 'last'>) => ({
  from: new Date(`${first}T00:00:00Z`),
  to: new Date(`${addDays(last, 1)}T00:00:00Z`),
});

/** The query of an address with this period. */
export const periodDays = (
  { first, last }: Pick<WorkPeriod, 'first' | 'last'>,
  more: Record<string, string> = {},
): string => `?${new URLSearchParams({ from: first, to: last, ...more }).toString()}`;
