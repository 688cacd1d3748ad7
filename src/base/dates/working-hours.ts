import { wallClock } from './wall-clock.ts';
import { isClosed, type Closure } from './closures.ts';
import { holidayOn, type Holiday } from './holidays.ts';

/**
 * Working hours are Monday to Friday, 9:00 to 18:00 UTC (the customer's specification), but on official holidays of Türkiye
 * and on days on which the operator has closed the office. UTC has no summer time; 9:00 to 18:00 lies on the same day
 * there.
 */
export const OPENING_HOUR = 9;
export const CLOSING_HOUR = 18;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const midnight = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;
const openingOf = (at: Date): Date => new Date(midnight(at) + OPENING_HOUR * HOUR);
const closingOf = (at: Date): Date => new Date(midnight(at) + CLOSING_HOUR * HOUR);
const isWeekday = (at: Date): boolean => at.getUTCDay() >= 1 && at.getUTCDay() <= 5;
const dayOf = (at: Date): string => wallClock(at, 'UTC').date;

/** Whether work is done on a day, in UTC. */
export type Calendar = (at: Date) => boolean;

/** Weekdays without the official holidays and without these closures. */
export const calendarWith =
  (closures: readonly Closure[]): Calendar =>
  (at) =>
    isWeekday(at) && closedFor(closures, at) === null;

/** Weekdays whether they are closed or not: for tests, which compare. */
export const everyWeekday: Calendar = isWeekday;

/** Why a weekday is closed: an official holiday, or the operator closed the office. Words: `application:closedDays.<why>`. */
export type ClosedFor = Holiday | 'office';

function closedFor(closures: readonly Closure[], at: Date): ClosedFor | null {
  const day = dayOf(at);
  return holidayOn(day) ?? (isClosed(closures, day) ? 'office' : null);
}

/** Days closed for one cause, with no worked day between the first and the last (YYYY-MM-DD); they may be the same. */
export type ClosedDays = { why: ClosedFor; first: string; last: string };

/** What is closed on weekdays from one moment to another, both days included: what a promise between them skips. */
export function closedDays(from: Date, to: Date, closures: readonly Closure[]): ClosedDays[] {
  const found: ClosedDays[] = [];
  let isNext = false;
  for (let at = new Date(midnight(from)); at <= to; at = nextDay(at)) {
    if (!isWeekday(at)) continue;
    const why = closedFor(closures, at);
    const before: ClosedDays | undefined = isNext ? found.at(-1) : undefined;
    if (why !== null && before?.why === why) before.last = dayOf(at);
    else if (why !== null) found.push({ why, first: dayOf(at), last: dayOf(at) });
    isNext = why !== null;
  }
  return found;
}

function nextDay(at: Date): Date {
  const next = new Date(at.getTime() + DAY);
  // An invalid date matches no weekday, so the searches below would not end.
  if (Number.isNaN(next.getTime())) throw new RangeError('Not a moment');
  return next;
}

/** A moment without its seconds: what is promised is shown, and kept, to the minute. */
export const wholeMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);

/** Whether work is done at a moment: from 9:00, up to but not including 18:00. */
export const isOpen = (at: Date, isWorked: Calendar): boolean =>
  isWorked(at) && at >= openingOf(at) && at < closingOf(at);

/**
 * The moment itself within working hours, else the next beginning of them.
 * @throws Error on an invalid date.
 */
export function nextOpening(at: Date, isWorked: Calendar): Date {
  if (isOpen(at, isWorked)) return at;
  let opening = openingOf(at);
  while (opening < at || !isWorked(opening)) opening = nextDay(opening);
  return opening;
}

/** The last open minute before a moment. */
export function lastOpenMinute(before: Date, isWorked: Calendar): Date {
  const latest = new Date(before.getTime() - 1);
  let day = latest;
  while (!isWorked(day) || openingOf(day) > latest) {
    day = new Date(midnight(day) - 1);
    if (Number.isNaN(day.getTime())) throw new RangeError('Not a moment');
  }
  return wholeMinute(new Date(Math.min(latest.getTime(), closingOf(day).getTime() - 1)));
}

/** Counts open time only. A result may be a closing time: 18:00, not 9:00 of the next day. `hours` is 0 or more. */
export function addWorkingHours(from: Date, hours: number, isWorked: Calendar): Date {
  let start = nextOpening(from, isWorked);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const closing = closingOf(start);
    const today = closing.getTime() - start.getTime();
    if (left <= today) return new Date(start.getTime() + left);
    left -= today;
    start = nextOpening(closing, isWorked);
  }
}

/** The same time of day so many working days later, counted from the next opening. `days` is whole, 0 or more. */
export function addWorkingDays(from: Date, days: number, isWorked: Calendar): Date {
  let at = nextOpening(from, isWorked);
  for (let left = atLeastZero(days); left > 0; left -= isWorked(at) ? 1 : 0) {
    at = nextDay(at);
  }
  return at;
}

/**
 * From the next opening on, hours run round the clock on working days, from 0:00 to 24:00. An end outside opening hours
 * moves to the next opening; closing time itself still counts as inside. `hours` is 0 or more.
 */
export function addHoursFromOpening(from: Date, hours: number, isWorked: Calendar): Date {
  let at = nextOpening(from, isWorked);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const today = midnight(at) + DAY - at.getTime();
    if (left < today) break;
    left -= today;
    at = nextDay(new Date(midnight(at)));
    while (!isWorked(at)) at = nextDay(at);
  }
  const end = new Date(at.getTime() + left);
  return end.getTime() === closingOf(end).getTime() ? end : nextOpening(end, isWorked);
}

/** Hours of open time from one moment to a later one; 0 where none lies between. */
export function workingHoursBetween(from: Date, to: Date, isWorked: Calendar): number {
  let open = 0;
  for (let at = new Date(midnight(from)); at < to; at = nextDay(at)) {
    if (!isWorked(at)) continue;
    const begin = Math.max(from.getTime(), openingOf(at).getTime());
    const end = Math.min(to.getTime(), closingOf(at).getTime());
    open += Math.max(end - begin, 0);
  }
  return open / HOUR;
}

function atLeastZero(amount: number): number {
  if (!(amount >= 0 && amount < Infinity)) throw new RangeError('Time is added forwards');
  return amount;
}
