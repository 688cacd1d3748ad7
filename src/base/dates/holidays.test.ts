import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { firstOffice } from './office.ts';
import { lastPromise } from '~/features/visa/rules/ready-by.ts';
import { feastsFile, FROZEN_YEARS, holidaysOf } from '../../../scripts/freeze-holidays.ts';
import { feasts } from './feasts.ts';
import { holidayOn, yearWithoutFeasts } from './holidays.ts';

const DAY_MS = 86_400_000;
const after = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Turkish names of the library, as our words call them. */
const named: Readonly<Record<string, string>> = {
  Yılbaşı: 'new_year',
  'Ulusal Egemenlik ve Çocuk Bayramı': 'sovereignty',
  'Emek ve Dayanışma Günü': 'labour',
  "Atatürk'ü Anma Gençlik ve Spor Bayramı": 'youth',
  'Demokrasi ve Millî Birlik Günü': 'democracy',
  'Zafer Bayramı': 'victory',
  'Cumhuriyet Bayramı': 'republic',
  'Ramazan Bayramı': 'ramazan',
  'Kurban Bayramı': 'kurban',
};

test.each([
  ['2026-01-01', 'new_year'],
  ['2026-03-18', null],
  ['2026-03-19', 'ramazan'],
  ['2026-03-22', 'ramazan'],
  ['2026-03-23', null],
  ['2026-04-23', 'sovereignty'],
  ['2026-05-01', 'labour'],
  ['2026-05-19', 'youth'],
  ['2026-05-25', null],
  ['2026-05-26', 'kurban'],
  ['2026-05-30', 'kurban'],
  ['2026-05-31', null],
  ['2026-07-15', 'democracy'],
  ['2026-08-30', 'victory'],
  ['2026-10-28', 'republic'],
  ['2026-10-29', 'republic'],
  ['2026-11-10', null],
])('%s: %s', (day, holiday) => {
  expect(holidayOn(day)).toBe(holiday);
});

/**
 * First days that Türkiye's Presidency of Religious Affairs lists (vakithesaplama.diyanet.gov.tr/resmitatiller.php), as
 * the `holidays` project cites that list until 2030. Add a year once its list is out.
 */
test.each([
  [2026, '2026-03-20', '2026-05-27'],
  [2027, '2027-03-09', '2027-05-16'],
])('the feasts of %i are those that were announced', (year, ramazan, kurban) => {
  const within = (days: string) => days.split(' ').filter((day) => day.startsWith(`${year}-`));
  expect(within(feasts.ramazan)).toEqual([ramazan]);
  expect(within(feasts.kurban)).toEqual([kurban]);
});

describe('a year whose feasts are missing', () => {
  const known = { ramazan: '2026-03-20 2027-03-09 2028-02-26', kurban: '2026-05-27 2027-05-16' };

  test.each([
    ['2026-01-01T00:00:00Z', null],
    ['2026-12-31T23:59:59Z', null],
    ['2027-01-01T00:00:00Z', 2028],
    ['2028-01-01T00:00:00Z', 2028],
    ['2029-01-01T00:00:00Z', 2029],
  ])('is told at %s: %s', (now, year) => {
    expect(yearWithoutFeasts(new Date(now), known)).toBe(year);
    const other = { ramazan: known.kurban, kurban: known.ramazan };
    expect(yearWithoutFeasts(new Date(now), other)).toBe(year);
  });

  it('is none of the table before 2045', () => {
    expect(yearWithoutFeasts(new Date('2044-12-31T23:59:59Z'))).toBeNull();
    expect(yearWithoutFeasts(new Date('2045-01-01T00:00:00Z'))).toBe(2046);
  });
});

describe('the table', () => {
  it('is what the library says', () => {
    const file = readFileSync(new URL('feasts.ts', import.meta.url), 'utf8');
    const bare = (text: string) => text.replace(/\s+/g, '');
    expect(bare(file)).toBe(bare(feastsFile()));
  });

  it('knows every day of every holiday, and no other', () => {
    for (let year = FROZEN_YEARS.first; year <= FROZEN_YEARS.last; year += 1) {
      const expected = new Map<string, string>([[`${year}-10-28`, 'republic']]);
      // An eve may lie in the year before the feast.
      for (const { date, days, hasEve, name } of [...holidaysOf(year), ...holidaysOf(year + 1)]) {
        for (let at = hasEve ? -1 : 0; at < days; at += 1) {
          const day = after(date, at);
          const isFeast = hasEve || !expected.has(day);
          if (isFeast) expected.set(day, named[name] ?? name);
        }
      }
      for (let day = `${year}-01-01`; day < `${year}-12-30`; day = after(day, 1)) {
        expect(holidayOn(day), day).toBe(expected.get(day) ?? null);
      }
    }
  });

  // A fixed day, so that no commit's tests begin to fail by themselves; operations.md says until when the table holds.
  it('holds for every promise made until the end of 2044', () => {
    const paidAt = new Date('2044-12-31T23:59:00Z');
    const promised = Math.max(
      ...(['without_document', 'with_document'] as const).map((path) =>
        lastPromise(path, paidAt, firstOffice).getTime(),
      ),
    );
    expect(new Date(promised).getUTCFullYear()).toBeLessThanOrEqual(FROZEN_YEARS.last);
    expect(feasts.kurban.split(' ').at(-1)).toMatch(`${FROZEN_YEARS.last}`);
    expect(feasts.ramazan.split(' ').at(-1)).toMatch(`${FROZEN_YEARS.last}`);
  });
});
