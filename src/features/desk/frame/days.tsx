import {
  addDays,
  UTC,
  type PlainDate,
  dateFromParts,
  dateOf,
  formatDateShort,
  parseDate,
} from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { latinDigits } from '~/base/digits.ts';
import type { Language } from '~/base/languages.ts';
import { Notice } from '~/ui/notice.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useSearchParams } from 'react-router';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ListBusy, FilterForm } from './lists.tsx';
import { formatCount } from './formats.ts';

/**
 * A day as staff type it: "22 Nov 2026", "22.11.2026", "22/11/2026" or "2026-11-22". The day precedes the month in
 * every language. Null where there is no such day.
 */
export function readDay(typed: string): PlainDate | null {
  const [begin = '', month = '', last = '', ...more] = typed.trim().split(/[\s./-]+/u);
  if (more.length > 0) return null;
  // French writes the first of a month as an ordinal.
  const first = begin.replace(/^1er$/iu, '1');
  const isYearFirst = /^\p{Nd}{4}$/u.test(first);
  return dateFromParts(
    isYearFirst ? { day: last, month, year: first } : { day: first, month, year: last },
  );
}

const CLOCK = /^(?<day>.*?)(?:[,،\s]+|T)(?<hour>\d{1,2}):(?<minute>\d{2})$/u;

/**
 * A UTC minute as staff type it: a day as in `readDay`, then the time, "22 Nov 2026, 14:30". Null where there is none.
 */
export function readMinute(typed: string): Date | null {
  const {
    day = '',
    hour = '',
    minute = '',
  } = CLOCK.exec(
    latinDigits(typed)
      .replace(/\p{Cf}/gu, '')
      .trim(),
  )?.groups ?? {};
  const date = readDay(day);
  if (!date || hour === '' || Number(hour) > 23 || Number(minute) > 59) return null;
  return new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00Z`);
}

/** "22 Nov 2026, 14:30", in UTC, as `readMinute` reads it. */
export const writeMinute = (at: Date, language: Language): string =>
  `${formatDateShort(dateOf(at, UTC), language)}, ${at.toISOString().slice(11, 16)}`;

/** Days shown where the address names none. */
const DEFAULT_DAYS = 30;
/** Most days shown at once: a year, and as long as the audit trail knows who opened what. */
const MOST_DAYS = 366;

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

/**
 * The state of a day filter's control. `read`: the day in the address, '' without one. A text that is no day stays in
 * the control, with `error`.
 */
export function useTypedDay(name: string, read: string): { shown: string; error?: string } {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const [query] = useSearchParams();
  const day = parseDate(read);
  if (day) return { shown: formatDateShort(day, language) };
  const typed = (query.get(name) ?? '').trim();
  return typed === '' ? { shown: '' } : { shown: typed, error: t('filter.unreadableDay') };
}

/** A day to filter by, as text: the browser's own control would show the month first in some languages. */
export function DayFilter({ name, label, read }: { name: string; label: string; read: string }) {
  const { shown, error } = useTypedDay(name, read);
  return (
    <TextField
      autoComplete="off"
      defaultValue={shown}
      error={error}
      label={label}
      maxLength={40}
      name={name}
    />
  );
}

/** The days of a report, chosen above its figures. `from`, `to`: labels, which say by whose clocks a day begins. */
export function PeriodForm({
  action,
  period: { first, last, isShortened },
  from,
  to,
}: {
  action: string;
  period: DayPeriod;
  from: string;
  to: string;
}) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const [query] = useSearchParams();
  const isNarrowed = query.has('from') || query.has('to');
  return (
    <>
      <FilterForm action={action} query={isNarrowed ? `${first} ${last}` : ''}>
        <DayFilter label={from} name="from" read={first} />
        <DayFilter label={to} name="to" read={last} />
      </FilterForm>
      <ListBusy />
      {isShortened ? (
        <Notice className="mt-3" tone="blue">
          {t('shortened', { days: formatCount(MOST_DAYS, language) })}
        </Notice>
      ) : null}
    </>
  );
}
