import { addDays, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { readDay } from './typed-day.ts';

/** Days shown where the address names none. */
const DEFAULT_DAYS = 30;
/** Most days shown at once: a year, and as long as the audit trail knows who opened what. */
export const MOST_DAYS = 366;

/** Days, both included. */
export type DayPeriod = {
  readonly first: PlainDate;
  readonly last: PlainDate;
  /** More was asked for than is shown. */
  readonly isShortened: boolean;
};

/**
 * Reads `from` and `to` of an address: up to today, at most `MOST_DAYS`, by default the last `DEFAULT_DAYS`. Two days
 * in the wrong order are put in order.
 */
export function readDayPeriod(query: URLSearchParams, today: PlainDate): DayPeriod {
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

/** From the first moment of the period to the first after it, as the clocks of a zone have its days. */
export const spanOfDays = (
  { first, last }: Pick<DayPeriod, 'first' | 'last'>,
  timeZone: string = UTC,
) => ({
  from: startOfDay(first, timeZone),
  to: startOfDay(addDays(last, 1), timeZone),
});

/** The query of an address with this period. */
export const periodDays = (
  { first, last }: Pick<DayPeriod, 'first' | 'last'>,
  more: Record<string, string> = {},
): string => `?${new URLSearchParams({ from: first, to: last, ...more }).toString()}`;
