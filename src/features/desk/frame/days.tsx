import {
  UTC,
  type PlainDate,
  dateFromParts,
  toPlainDate,
  formatDateShort,
  parseDate,
} from '~/base/dates/dates.ts';
import { latinDigits } from '~/base/digits.ts';
import type { Language } from '~/base/languages.ts';
import { TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useSearchParams } from 'react-router';

/** No record of ours, and no plan, lies outside of these years; days far outside have no day before or after them. */
const MIN_DAY = '1900-01-01';
const MAX_DAY = '2999-12-31';

/**
 * A day as staff type it: "22 Nov 2026", "22.11.2026", "22/11/2026" or "2026-11-22". The day precedes the month in
 * every language. Null where there is no such day from 1900 to 2999.
 */
export function readDay(typed: string): PlainDate | null {
  const [begin = '', month = '', last = '', ...more] = typed.trim().split(/[\s./-]+/u);
  if (more.length > 0) return null;
  // French writes the first of a month as an ordinal.
  const first = begin.replace(/^1er$/iu, '1');
  const isYearFirst = /^\p{Nd}{4}$/u.test(first);
  const day = dateFromParts(
    isYearFirst ? { day: last, month, year: first } : { day: first, month, year: last },
  );
  return day && day >= MIN_DAY && day <= MAX_DAY ? day : null;
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
  `${formatDateShort(toPlainDate(at, UTC), language)}, ${at.toISOString().slice(11, 16)}`;

/**
 * The state of a day filter's control. `read`: the day in the address, '' without one. A text that is no day stays in
 * the control, with `error`.
 */
export function useTypedDay(name: string, read: string): { shown: string; error?: string } {
  const { t, language } = useTranslation('desk');
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
