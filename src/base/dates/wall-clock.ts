import { dateTimeFormat } from '../intl.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * The date (YYYY-MM-DD) and the time (HH:MM) in a zone.
 * @throws Error on an unknown zone.
 */
export function wallClock(instant: Date, timeZone: string): { date: string; time: string } {
  const ahead = minutesAhead(instant, timeZone);
  if (ahead === null) return askedWallClock(instant, timeZone);
  const minutes = Math.floor(instant.getTime() / MINUTE) + ahead;
  const minute = minutes - Math.floor(minutes / 1440) * 1440;
  return {
    date: dateOfDay(Math.floor(minutes / 1440)),
    time: `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
  };
}

/** The first moment of a day (YYYY-MM-DD) in a zone whose clocks do not change in that night. */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = new Date(`${date}T00:00:00Z`);
  const shown = wallClock(midnight, timeZone);
  const ahead = Date.parse(`${shown.date}T${shown.time}:00Z`) - midnight.getTime();
  return new Date(midnight.getTime() - ahead);
}

const two = (part: number): string => (part < 10 ? `0${part}` : `${part}`);

/** By days since 1970: YYYY-MM-DD. */
const dates = new Map<number, string>();

function dateOfDay(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY).toISOString().slice(0, 10);
  if (dates.size >= MAX_CACHED_DAYS) dates.clear();
  dates.set(day, date);
  return date;
}

/** "UTC", "UTC+3", "UTC−3:30": the zone's distance at that moment, which reads the same in every language. */
export function zoneLabel(instant: Date, timeZone: string): string {
  const minutes =
    minutesAhead(instant, timeZone) ??
    shownMinute(askedWallClock(instant, timeZone)) - Math.floor(instant.getTime() / MINUTE);
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** Whether the zone is known here: what a browser says of itself is checked before it is used. */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/** From here on every zone is whole minutes from UTC (Liberia was the last, 1972), and years have four digits. */
const [FIRST, LAST] = [Date.parse('1973-01-01T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

/** By zone and UTC day: how far the zone is ahead all day long, or null where its clocks change on that day. */
const zones = new Map<string, Map<number, number | null>>();
/** Days cached of one zone, and dates cached, at most. */
const MAX_CACHED_DAYS = 5000;
/** Zones cached at most: there are about 600 names, and what a browser says is checked before it comes here. */
const MAX_CACHED_ZONES = 600;

/** Minutes that a zone is ahead of UTC; null on a day on which that changes, and outside of what is kept. */
function minutesAhead(instant: Date, timeZone: string): number | null {
  if (timeZone === 'UTC') return inYears(instant) ? 0 : null;
  if (!inYears(instant)) return null;
  const day = Math.floor(instant.getTime() / DAY);
  const days = daysOf(timeZone);
  const known = days.get(day);
  if (known !== undefined) return known;
  const [first, last] = [day * DAY, (day + 1) * DAY].map(
    (at) => shownMinute(askedWallClock(new Date(at), timeZone)) - at / MINUTE,
  );
  const ahead = first !== undefined && first === last ? first : null;
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  days.set(day, ahead);
  return ahead;
}

function daysOf(timeZone: string): Map<number, number | null> {
  const known = zones.get(timeZone);
  if (known) return known;
  const days = new Map<number, number | null>();
  if (zones.size >= MAX_CACHED_ZONES) zones.clear();
  zones.set(timeZone, days);
  return days;
}

const inYears = (instant: Date): boolean => instant.getTime() >= FIRST && instant.getTime() < LAST;

const shownMinute = ({ date, time }: { date: string; time: string }): number =>
  Date.parse(`${date}T${time}:00Z`) / MINUTE;

/** By `Intl`: one `formatToParts` takes as long as a hundred answers from the cache. */
function askedWallClock(instant: Date, timeZone: string): { date: string; time: string } {
  const part = new Map(
    formatterFor(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => part.get(type) ?? '';
  return {
    date: `${read('year')}-${read('month')}-${read('day')}`,
    time: `${read('hour')}:${read('minute')}`,
  };
}

/** Only numbers are asked of `Intl`, so that every version of its data answers the same. */
const formatterFor = (timeZone: string): Intl.DateTimeFormat =>
  dateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
