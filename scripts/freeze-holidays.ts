/**
 * Writes `src/base/dates/feasts.ts` from `date-holidays`: the religious holidays of Türkiye, which follow the lunar
 * calendar. For later years, raise `FROZEN_YEARS.last`, run it, read the difference, commit. The library
 * calculates the days; `working-hours.test.ts` compares them with the years that were announced.
 */
import { writeFileSync } from 'node:fs';
import Holidays from 'date-holidays';

/** The first year has begun already; earlier promises are not calculated again. */
export const FROZEN_YEARS = { first: 2020, last: 2045 } as const;

const DAY_MS = 86_400_000;
const turkish = new Holidays('TR');

export type FrozenHoliday = {
  /** The first whole day, YYYY-MM-DD. */
  date: string;
  days: number;
  /** Whether it begins with the afternoon before. */
  hasEve: boolean;
  /** In Turkish. */
  name: string;
};

/** The public holidays of a year, as the library knows them. */
export const frozenHolidays = (year: number): FrozenHoliday[] =>
  turkish
    .getHolidays(year)
    .filter(({ type }) => type === 'public')
    .map(({ date, start, end, name }) => {
      const days = (end.getTime() - start.getTime()) / DAY_MS;
      return {
        date: date.slice(0, 10),
        days: Math.floor(days),
        hasEve: !Number.isInteger(days),
        name,
      };
    });

/**
 * The file's text.
 * @throws Error for a holiday with an eve that is neither of the two feasts.
 */
export function feastsFile(): string {
  const { first, last } = FROZEN_YEARS;
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const feasts = years.flatMap(frozenHolidays).filter(({ hasEve }) => hasEve);
  const datesOf = (days: number) =>
    feasts.filter((feast) => feast.days === days).map(({ date }) => date);
  const [ramazan, kurban] = [datesOf(3), datesOf(4)];
  if (ramazan.length + kurban.length !== feasts.length) throw new Error('A feast of other length');
  return `/** First days of the religious holidays, written by \`scripts/freeze-holidays.ts\`. */
export const feasts = {
  ramazan: '${ramazan.join(' ')}',
  kurban: '${kurban.join(' ')}',
} as const;
`;
}

if (import.meta.main) {
  writeFileSync(new URL('../src/base/dates/feasts.ts', import.meta.url), feastsFile());
}
