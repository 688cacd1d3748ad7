import { calendarWords } from './calendar-words.ts';
import { factsOf, type Language } from '../languages.ts';

export type Day = {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
};

export type DayStyle = { weekday?: 'long' | 'short'; month: 'long' | 'short'; year: boolean };

type Pieces = { weekday: string; day: number; month: string; year: string; short: boolean };

const spaced = (...pieces: readonly string[]): string => pieces.filter(Boolean).join(' ');

/** The order of the pieces and the words between them; `weekday` and `year` may be empty. */
const orders: Readonly<Record<Language, (pieces: Pieces) => string>> = {
  en: ({ weekday, day, month, year }) => spaced(weekday, `${day}`, month, year),
  tr: ({ weekday, day, month, year }) => spaced(`${day}`, month, year, weekday),
  fr: ({ weekday, day, month, year }) => spaced(weekday, day === 1 ? '1er' : `${day}`, month, year),
  de: ({ weekday, day, month, year }) => spaced(weekday && `${weekday},`, `${day}.`, month, year),
  es: ({ weekday, day, month, year, short }) =>
    short
      ? spaced(weekday && `${weekday},`, `${day}`, month, year)
      : spaced(weekday && `${weekday},`, `${day} de ${month}`, year && `de ${year}`),
  ar: ({ weekday, day, month, year }) => spaced(weekday, `${day}`, month, year),
};

/** The month is always a word, so that day and month cannot be mixed up. Digits are Latin in every language. */
export function writeDay(day: Day, language: Language, style: DayStyle): string {
  const words = calendarWords[language];
  const weekdays = style.weekday === 'short' ? words.weekdaysShort : words.weekdays;
  const months = style.month === 'short' ? words.monthsShort : words.months;
  return orders[language]({
    weekday: style.weekday ? (weekdays[day.weekday] ?? '') : '',
    day: day.day,
    month: months[day.month - 1] ?? '',
    year: style.year ? String(day.year) : '',
    short: style.month === 'short',
  });
}

/** "November 2026"; without a year, short: "Nov". */
export function writeMonth(month: number, year: number | null, language: Language): string {
  const words = calendarWords[language];
  if (year === null) return words.monthsShort[month - 1] ?? '';
  return `${words.months[month - 1] ?? ''}${factsOf(language).monthJoiner}${year}`;
}

/** "Thu 26 Nov" and "13:20" together. */
export const joinTime = (day: string, time: string, language: Language): string =>
  `${day}${factsOf(language).timeJoiner}${time}`;
