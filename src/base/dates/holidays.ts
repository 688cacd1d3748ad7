import { DAY_MS } from './dates.ts';
import { feasts } from './feasts.ts';

/**
 * Official holidays of Türkiye (Law No. 2429 on national and general holidays, articles 1 and 2). Words:
 * `application:closedDays.<holiday>`.
 */
export const holidays = [
  'new_year',
  'sovereignty',
  'labour',
  'youth',
  'democracy',
  'victory',
  'republic',
  'ramazan',
  'kurban',
] as const;
export type Holiday = (typeof holidays)[number];

/** By month and day. The Republic's begins on 28 October at 13:00. */
const everyYear: Readonly<Record<string, Holiday>> = {
  '01-01': 'new_year',
  '04-23': 'sovereignty',
  '05-01': 'labour',
  '05-19': 'youth',
  '07-15': 'democracy',
  '08-30': 'victory',
  '10-28': 'republic',
  '10-29': 'republic',
};

/** The feasts' whole days; the afternoon before, from 13:00 on, belongs to them. */
const FEAST_DAYS = { ramazan: 3, kurban: 4 } as const;
const religious = new Map<string, Holiday>();
for (const feast of ['ramazan', 'kurban'] as const) {
  for (const first of feasts[feast].split(' ')) {
    for (let day = -1; day < FEAST_DAYS[feast]; day += 1) {
      religious.set(dayAt(Date.parse(`${first}T00:00:00Z`) + day * DAY_MS), feast);
    }
  }
}

type Feast = keyof typeof feasts;

/**
 * Days before a feast from which on staff are told to check the closed days: which days beside it are days off as well
 * is decreed weeks before.
 */
export const FEAST_NOTICE_DAYS = 60;

/** Feasts whose first whole day (YYYY-MM-DD) lies at most so many days after `day`, the soonest first; none that has begun. */
export function feastsWithin(day: string, days: number): { feast: Feast; first: string }[] {
  const last = dayAt(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
  return (['ramazan', 'kurban'] as const)
    .flatMap((feast) => feasts[feast].split(' ').map((first) => ({ feast, first })))
    .filter(({ first }) => day < first && first <= last)
    .toSorted((a, b) => a.first.localeCompare(b.first));
}

function dayAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/**
 * This year or the next one (in UTC), if Ramazan or Kurban has no day of it in the table: from then on promises would count
 * feast days as working days. Null while both years are whole.
 */
export function yearWithoutFeasts(
  now: Date,
  known: Readonly<Record<keyof typeof feasts, string>> = feasts,
): number | null {
  const year = now.getUTCFullYear();
  const isWhole = (one: number) =>
    Object.values(known).every((days) => days.split(' ').some((day) => day.startsWith(`${one}-`)));
  return [year, year + 1].find((one) => !isWhole(one)) ?? null;
}

/**
 * The official holiday that a day (YYYY-MM-DD) belongs to, or null. Half days count whole: their mornings leave one of
 * our nine working hours (9:00 to 10:00 UTC), and promises do not count on it.
 */
export const holidayByDay = (day: string): Holiday | null =>
  religious.get(day) ?? everyYear[day.slice(5)] ?? null;
