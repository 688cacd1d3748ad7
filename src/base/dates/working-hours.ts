import { wallClock } from './wall-clock.ts';
import { isClosed, type Office } from './office.ts';
import { holidayByDay, type Holiday } from './holidays.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const midnight = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;
const openingOf = (at: Date, { opens }: Office): Date => new Date(midnight(at) + opens * HOUR);
const closingOf = (at: Date, { closes }: Office): Date => new Date(midnight(at) + closes * HOUR);
const isWeekday = (at: Date, { weekdays }: Office): boolean => weekdays.includes(at.getUTCDay());
const dayOf = (at: Date): string => wallClock(at, 'UTC').date;

/** Whether work is done on the day of a moment, in UTC. */
export const isWorkingDay = (at: Date, office: Office): boolean =>
  isWeekday(at, office) && closedFor(at, office) === null;

/** Why a weekday is closed: an official holiday, or the operator closed the office. Words: `application:closedDays.<why>`. */
type ClosureReason = Holiday | 'office';

function closedFor(at: Date, office: Office): ClosureReason | null {
  const day = dayOf(at);
  return holidayByDay(day) ?? (isClosed(office, day) ? 'office' : null);
}

/** Days closed for one cause, with no worked day between the first and the last (YYYY-MM-DD); they may be the same. */
export type ClosedDays = { why: ClosureReason; first: string; last: string };

/** What is closed on weekdays from one moment to another, both days included: what a promise between them skips. */
export function closedDays(from: Date, to: Date, office: Office): ClosedDays[] {
  const found: ClosedDays[] = [];
  let isNext = false;
  for (let at = new Date(midnight(from)); at <= to; at = nextDay(at)) {
    if (!isWeekday(at, office)) continue;
    const why = closedFor(at, office);
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

/** Whether work is done at a moment: from the opening hour, up to but not including the closing hour. */
export const isOpen = (at: Date, office: Office): boolean =>
  isWorkingDay(at, office) && at >= openingOf(at, office) && at < closingOf(at, office);

/**
 * The moment itself within working hours, else the next beginning of them.
 * @throws Error on an invalid date.
 */
export function nextOpening(at: Date, office: Office): Date {
  if (isOpen(at, office)) return at;
  let opening = openingOf(at, office);
  while (opening < at || !isWorkingDay(opening, office)) opening = nextDay(opening);
  return opening;
}

/** The last open minute before a moment. */
export function lastOpenMinute(before: Date, office: Office): Date {
  const latest = new Date(before.getTime() - 1);
  let day = latest;
  while (!isWorkingDay(day, office) || openingOf(day, office) > latest) {
    day = new Date(midnight(day) - 1);
    if (Number.isNaN(day.getTime())) throw new RangeError('Not a moment');
  }
  return wholeMinute(new Date(Math.min(latest.getTime(), closingOf(day, office).getTime() - 1)));
}

/** Counts open time only. A result may be a closing time: 18:00, not the next opening. `hours` is 0 or more. */
export function addWorkingHours(from: Date, hours: number, office: Office): Date {
  let start = nextOpening(from, office);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const closing = closingOf(start, office);
    const today = closing.getTime() - start.getTime();
    if (left <= today) return new Date(start.getTime() + left);
    left -= today;
    start = nextOpening(closing, office);
  }
}

/** The same time of day so many working days later, counted from the next opening. `days` is whole, 0 or more. */
export function addWorkingDays(from: Date, days: number, office: Office): Date {
  let at = nextOpening(from, office);
  for (let left = atLeastZero(days); left > 0; left -= isWorkingDay(at, office) ? 1 : 0) {
    at = nextDay(at);
  }
  return at;
}

/**
 * From the next opening on, hours run round the clock on working days, from 0:00 to 24:00. An end outside opening hours
 * moves to the next opening; closing time itself still counts as inside. `hours` is 0 or more.
 */
export function addHoursFromOpening(from: Date, hours: number, office: Office): Date {
  let at = nextOpening(from, office);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const today = midnight(at) + DAY - at.getTime();
    if (left < today) break;
    left -= today;
    at = nextDay(new Date(midnight(at)));
    while (!isWorkingDay(at, office)) at = nextDay(at);
  }
  const end = new Date(at.getTime() + left);
  return end.getTime() === closingOf(end, office).getTime() ? end : nextOpening(end, office);
}

function atLeastZero(amount: number): number {
  if (!(amount >= 0 && amount < Infinity)) throw new RangeError('Time is added forwards');
  return amount;
}
