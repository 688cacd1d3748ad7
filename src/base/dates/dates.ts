import { latinDigits } from '../digits.ts';
import { type Language, languageFacts } from '../languages.ts';
import { wallClock, zoneLabel } from './wall-clock.ts';
import { calendarWords } from './calendar-words.ts';

/**
 * Further names people write, besides those we print: Latin letters without accents, Austrian German, the Syriac
 * names of the Levant and Iraq, Egyptian spellings, the names of the Maghreb that come from French, Morocco's own.
 */
const alsoWritten: Readonly<Record<number, readonly string[]>> = {
  1: ['Jänner', 'Jaenner', 'كانون الثاني', 'جانفي'],
  2: ['Feber', 'شباط', 'فيفري'],
  3: ['Maerz', 'Mrz', 'آذار'],
  4: ['نيسان', 'أفريل', 'إبريل'],
  5: ['أيار', 'ماي'],
  6: ['حزيران', 'يونيه', 'جوان'],
  7: ['تموز', 'يوليه', 'يوليوز', 'جويلية'],
  8: ['آب', 'أوت', 'غشت'],
  9: ['setiembre', 'أيلول', 'شتنبر'],
  10: ['تشرين الأول'],
  11: ['تشرين الثاني', 'نونبر'],
  12: ['كانون الأول', 'دجنبر'],
};

const MIN_MONTH_PREFIX_LENGTH = 3;

/** Case, accents, dots, Arabic vowel signs and stretching strokes do not tell one month from another. */
function bare(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\u0640.]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/\s+/g, ' ')
    .trim();
}

const named = new Map<string, number>();
for (const { months, monthsShort } of Object.values(calendarWords)) {
  for (const names of [months, monthsShort]) {
    names.forEach((name, index) => named.set(bare(name), index + 1));
  }
}
for (const [month, names] of Object.entries(alsoWritten)) {
  for (const name of names) named.set(bare(name), Number(month));
}

/**
 * The month (1 to 12) of a name or abbreviation in any of the six languages, whichever is being read. Any beginning
 * of three letters or more will do while it fits one month only: "octob" yes, French "jui" (June or July) no.
 */
export function parseMonthName(text: string): number | null {
  const name = bare(text);
  const exact = named.get(name);
  if (exact !== undefined) return exact;
  if (name.length < MIN_MONTH_PREFIX_LENGTH) return null;
  const months = new Set<number>();
  for (const [known, month] of named) if (known.startsWith(name)) months.add(month);
  const [only] = months;
  return months.size === 1 && only !== undefined ? only : null;
}

type Day = {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
};

type DayStyle = { weekday?: 'long' | 'short'; month: 'long' | 'short'; year: boolean };

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
function writeDay(day: Day, language: Language, style: DayStyle): string {
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

/** "Thu 26 Nov" and "13:20" together. */
const joinTime = (day: string, time: string, language: Language): string =>
  `${day}${languageFacts(language).timeJoiner}${time}`;

declare const plainDate: unique symbol;

/** A day of the calendar without time or zone, written YYYY-MM-DD; compares like text. Years 1000 to 9999. */
export type PlainDate = string & { readonly [plainDate]: true };

const SHAPE = /^([1-9]\d{3})-(\d{2})-(\d{2})$/;
/** A day of 24 hours in milliseconds. */
export const DAY_MS = 86_400_000;

/** Whether the text is a day that exists: 2027-02-29 is not. */
export function isPlainDate(text: string): text is PlainDate {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Null for anything but a real day in the form YYYY-MM-DD with Latin digits. */
export const parseDate = (text: string): PlainDate | null => (isPlainDate(text) ? text : null);

/** Year, month (1 to 12) and day of the month. */
export const splitDate = (date: PlainDate): { year: number; month: number; day: number } => ({
  year: Number(date.slice(0, 4)),
  month: Number(date.slice(5, 7)),
  day: Number(date.slice(8)),
});

function compose(year: number, month: number, day: number): PlainDate | null {
  const two = (part: number) => String(part).padStart(2, '0');
  return parseDate(`${year}-${two(month)}-${two(day)}`);
}

/**
 * A date as typed into three fields. Day and year in Latin, Arabic-Indic or Persian digits, the year with all four;
 * the month as number or as a name in any of the six languages. Null where that is no real day.
 */
export function dateFromParts(typed: {
  day: string | number;
  month: string | number;
  year: string | number;
}): PlainDate | null {
  const day = digits(typed.day, /^\d{1,2}\.?$/);
  const year = digits(typed.year, /^\d{4}$/);
  const month = digits(typed.month, /^\d{1,2}\.?$/) ?? parseMonthName(String(typed.month));
  return day === null || month === null || year === null ? null : compose(year, month, day);
}

/** The day, month and year in a date's three controls, as `DateField` names them. */
export const readParts = (read: (control: string) => string, field: string) => ({
  day: read(`${field}-day`),
  month: read(`${field}-month`),
  year: read(`${field}-year`),
});

/** The same among controls that were read before. */
export const partsTyped = (typed: Readonly<Record<string, string>>, field: string) =>
  readParts((control) => typed[control] ?? '', field);

/** The date in those controls; null where there is no such day. */
export const typedDate = (
  typed: Readonly<Record<string, string>>,
  field: string,
): PlainDate | null => dateFromParts(partsTyped(typed, field));

/** Which part of a date typed into three fields keeps it from being a day. */
const dateFaults = [
  'day_missing',
  'month_missing',
  'year_missing',
  'day_unreal',
  'month_unreal',
  'year_digits',
  'no_such_day',
] as const;
type DateFault = (typeof dateFaults)[number];

/** The first part at fault; of parts that `dateFromParts` makes no day of. */
function faultOf({ day, month, year }: { day: string; month: string; year: string }): DateFault {
  if (day.trim() === '') return 'day_missing';
  if (month.trim() === '') return 'month_missing';
  if (year.trim() === '') return 'year_missing';
  const isDay = dateFromParts({ day, month: 1, year: 2000 }) !== null;
  if (!isDay) return 'day_unreal';
  const isMonth = dateFromParts({ day: 1, month, year: 2000 }) !== null;
  if (!isMonth) return 'month_unreal';
  return dateFromParts({ day: 1, month: 1, year }) === null ? 'year_digits' : 'no_such_day';
}

/** Stands for a date as typed that is no day, and is never a `PlainDate`: it says what is wrong, for `readDateFault`. */
export const writeDateFault = (typed: { day: string; month: string; year: string }): string =>
  `?${faultOf(typed)}`;

/** What `writeDateFault` found wrong; null for any other text. */
export const readDateFault = (text: string): DateFault | null =>
  dateFaults.find((fault) => text === `?${fault}`) ?? null;

function digits(typed: string | number, shape: RegExp): number | null {
  // Arabic keyboards and pasted text bring invisible direction marks along.
  const text = latinDigits(String(typed))
    .replace(/\p{Cf}/gu, '')
    .trim();
  return shape.test(text) ? Number.parseInt(text, 10) : null;
}

/** Days since 1 January 1970. */
function dayNumber(date: PlainDate): number {
  const { year, month, day } = splitDate(date);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/**
 * Also backwards.
 * @throws Error beyond the years 1000 to 9999.
 */
export function addDays(date: PlainDate, days: number): PlainDate {
  return existing(
    parseDate(new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10)),
  );
}

/**
 * Also backwards. 31 January plus a month is the last day of February.
 * @throws Error beyond the years 1000 to 9999.
 */
export function addMonths(date: PlainDate, months: number): PlainDate {
  const { year, month, day } = splitDate(date);
  const total = year * 12 + (month - 1) + months;
  const [newYear, newMonth] = [Math.floor(total / 12), (total % 12) + 1];
  return existing(compose(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth))));
}

function existing(date: PlainDate | null): PlainDate {
  if (date === null) throw new RangeError('Dates lie in the years 1000 to 9999');
  return date;
}

/** Nights between two days; negative when `to` is the earlier. */
export const daysBetween = (from: PlainDate, to: PlainDate): number =>
  dayNumber(to) - dayNumber(from);

/** Days from the first to the last, both counted: a trip that ends the day it starts is one day. */
export const daysInclusive = (first: PlainDate, last: PlainDate): number =>
  daysBetween(first, last) + 1;

/**
 * Full years on a day. Who was born on 29 February turns a year older on 1 March in years without that day, as the
 * year of age is then complete in every country's reading. Negative before birth.
 */
export function ageOn(birth: PlainDate, on: PlainDate): number {
  const born = splitDate(birth);
  const then = splitDate(on);
  const hadBirthday = on.slice(5) >= birth.slice(5);
  return then.year - born.year - (hadBirthday ? 0 : 1);
}

export const UTC = 'UTC';
/** Türkiye keeps UTC+3 all year. */
export const TURKIYE = 'Europe/Istanbul';

/**
 * The day that a moment falls on in a zone (IANA name).
 * @throws Error on an unknown zone.
 */
export const toPlainDate = (instant: Date, timeZone: string): PlainDate =>
  existing(parseDate(wallClock(instant, timeZone).date));

/** 1 January 1970 was a Thursday. */
const weekdayOf = (date: PlainDate): number => (((dayNumber(date) + 4) % 7) + 7) % 7;

const dayOf = (date: PlainDate): Day => ({ ...splitDate(date), weekday: weekdayOf(date) });

/** "5 March 2027". */
export const formatDate = (date: PlainDate, language: Language): string =>
  writeDay(dayOf(date), language, { month: 'long', year: true });

/** "5 Mar 2027". */
export const formatDateShort = (date: PlainDate, language: Language): string =>
  writeDay(dayOf(date), language, { month: 'short', year: true });

/** The month that a day lies in: "March 2027". */
export function formatMonth(date: PlainDate, language: Language): string {
  const { year, month } = splitDate(date);
  const name = calendarWords[language].months[month - 1] ?? '';
  return `${name}${languageFacts(language).monthJoiner}${year}`;
}

/**
 * time: "13:20 UTC" · short: "Thu 26 Nov, 13:20 UTC" · dated: "Thu 26 Nov 2026, 13:20 UTC" · long: "Thursday 26
 * November 2026, 13:20 UTC". Every style names the zone, because one page can show times of two zones.
 */
export type MomentStyle = 'time' | 'short' | 'dated' | 'long';

const dayStyles = {
  short: { weekday: 'short', month: 'short', year: false },
  dated: { weekday: 'short', month: 'short', year: true },
  long: { weekday: 'long', month: 'long', year: true },
} as const;

/** A moment as the clocks of a zone show it, always by 24 hours. Zones other than UTC are named "UTC+3". */
export function formatMoment(
  instant: Date,
  language: Language,
  timeZone: string,
  style: MomentStyle,
): string {
  return write(instant, language, timeZone, style, ` ${zoneLabel(instant, timeZone)}`);
}

/** The same without the zone, for texts that name the place themselves. */
export const formatLocalMoment = (
  instant: Date,
  language: Language,
  timeZone: string,
  style: MomentStyle,
): string => write(instant, language, timeZone, style, '');

function write(
  instant: Date,
  language: Language,
  timeZone: string,
  style: MomentStyle,
  zone: string,
): string {
  const { date, time } = wallClock(instant, timeZone);
  if (style === 'time') return `${time}${zone}`;
  const day = writeDay(dayOf(existing(parseDate(date))), language, dayStyles[style]);
  return joinTime(day, `${time}${zone}`, language);
}

/** Who is younger on the travel date needs a parent's ID, by the customer's specification. */
export const ADULT_YEARS = 18;

/** By the age in full years on the first day of the trip. */
export const isMinor = (birth: PlainDate, travelDate: PlainDate): boolean =>
  ageOn(birth, travelDate) < ADULT_YEARS;
