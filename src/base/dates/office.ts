import { dateTimeFormat } from '../intl.ts';
import { intlLocale, type Language } from '../languages.ts';

const FULL_HOUR = {
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;

/** A full hour of the day, 0 to 23, as the language writes it: 9:00, in French 9 h. */
export const formatHour = (hour: number, language: Language): string =>
  language === 'fr'
    ? `${hour}\u00a0h`
    : dateTimeFormat(intlLocale(language), FULL_HOUR).format(Date.UTC(2026, 0, 1, hour));

/** Days on which the operator has closed the office, both included: YYYY-MM-DD, as the days are in UTC. */
export type Closure = { readonly from: string; readonly to: string };

/**
 * When the office works: whole hours of a day in UTC, which has no summer time, on these days of the week, but on official
 * holidays of Türkiye and on days that the operator has closed. Whatever promises a moment counts by it.
 */
export type Office = {
  /** The first hour of work, and the one at which it ends, on the same day. */
  readonly opens: number;
  readonly closes: number;
  /** 0 is Sunday, as in `Date`. */
  readonly weekdays: readonly number[];
  /** Known at the moment that is asked about, soonest first. */
  readonly closures: readonly Closure[];
};

/** Of the customer's specification, while nothing is closed. */
export const firstOffice: Office = {
  opens: 9,
  closes: 18,
  weekdays: [1, 2, 3, 4, 5],
  closures: [],
};

/** Whether a day (YYYY-MM-DD) is one of those that the operator has closed. */
export const isClosed = ({ closures }: Office, day: string): boolean =>
  closures.some(({ from, to }) => from <= day && day <= to);
