/** Working hours are Monday to Friday, 9:00 to 18:00 UTC (specification, section 9). UTC has no summer time. */
const OPENING_HOUR = 9;
const CLOSING_HOUR = 18;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const midnight = (at: Date): number => Math.floor(at.getTime() / DAY) * DAY;
const openingOf = (at: Date): Date => new Date(midnight(at) + OPENING_HOUR * HOUR);
const closingOf = (at: Date): Date => new Date(midnight(at) + CLOSING_HOUR * HOUR);
const isWeekday = (at: Date): boolean => at.getUTCDay() >= 1 && at.getUTCDay() <= 5;

function nextDay(at: Date): Date {
  const next = new Date(at.getTime() + DAY);
  // No weekday would ever match what is no moment, and the searches below would not end.
  if (Number.isNaN(next.getTime())) throw new RangeError('Not a moment');
  return next;
}

/** A moment without its seconds: what is promised is shown, and kept, to the minute. */
export const wholeMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);

/** From the stroke of nine up to, but not including, 18:00. */
export const isOpen = (at: Date): boolean =>
  isWeekday(at) && at >= openingOf(at) && at < closingOf(at);

/** The moment itself while we are open, else the next time the doors open. Throws on an invalid date. */
export function nextOpening(at: Date): Date {
  if (isOpen(at)) return at;
  let opening = openingOf(at);
  while (opening < at || !isWeekday(opening)) opening = nextDay(opening);
  return opening;
}

/** Counts open time only. A result may be a closing time: 18:00, not 9:00 of the next day. `hours` is 0 or more. */
export function addWorkingHours(from: Date, hours: number): Date {
  let start = nextOpening(from);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const closing = closingOf(start);
    const today = closing.getTime() - start.getTime();
    if (left <= today) return new Date(start.getTime() + left);
    left -= today;
    start = nextOpening(closing);
  }
}

/** The same time of day so many weekdays later, counted from the next opening. `days` is whole, 0 or more. */
export function addWorkingDays(from: Date, days: number): Date {
  let at = nextOpening(from);
  for (let left = atLeastZero(days); left > 0; left -= isWeekday(at) ? 1 : 0) {
    at = nextDay(at);
  }
  return at;
}

/**
 * From the next opening on, hours run round the clock from Monday 0:00 to Friday 24:00. An end outside opening hours
 * moves to the next opening; closing time itself still counts as inside. `hours` is 0 or more.
 */
export function addHoursFromOpening(from: Date, hours: number): Date {
  let at = nextOpening(from);
  let left = atLeastZero(hours) * HOUR;
  for (;;) {
    const today = midnight(at) + DAY - at.getTime();
    if (left < today) break;
    left -= today;
    at = nextDay(new Date(midnight(at)));
    while (!isWeekday(at)) at = nextDay(at);
  }
  const end = new Date(at.getTime() + left);
  return end.getTime() === closingOf(end).getTime() ? end : nextOpening(end);
}

function atLeastZero(amount: number): number {
  if (!(amount >= 0 && amount < Infinity)) throw new RangeError('Time is added forwards');
  return amount;
}
