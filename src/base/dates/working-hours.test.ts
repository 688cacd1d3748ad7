import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { latestPromise } from '~/features/visa/rules/ready-by.ts';
import { feastsFile, FROZEN_YEARS, frozenHolidays } from '../../../scripts/freeze-holidays.ts';
import { firstOffice, type Closure, type Office } from './office.ts';
import { holidayByDay, yearWithoutFeasts } from './holidays.ts';
import {
  addHoursFromOpening,
  addWorkingDays,
  addWorkingHours,
  closedDays,
  isOpen,
  isWorkingDay,
  nextOpening,
} from './working-hours.ts';
import { feasts } from './feasts.ts';

/** November 2026: the 16th is a Monday, the 19th a Thursday, the 21st a Saturday. */
const at = (day: number, time: string) =>
  new Date(`2026-11-${String(day).padStart(2, '0')}T${time.padEnd(8, ':00')}Z`);
const moments = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2035-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const hours = fc.integer({ min: 0, max: 120 });
const worked = firstOffice;
const closedOn = (closures: readonly Closure[]): Office => ({ ...firstOffice, closures });

describe('opening hours', () => {
  test.each([
    [at(19, '08:59:59'), false],
    [at(19, '09:00'), true],
    [at(19, '17:59:59'), true],
    [at(19, '18:00'), false],
    [at(20, '12:00'), true],
    [at(21, '12:00'), false],
    [at(22, '12:00'), false],
    [at(23, '12:00'), true],
  ])('%s is open: %s', (moment, open) => {
    expect(isOpen(moment, worked)).toBe(open);
  });

  test.each([
    [at(19, '10:20'), at(19, '10:20')],
    [at(19, '03:00'), at(19, '09:00')],
    [at(19, '18:00'), at(20, '09:00')],
    [at(20, '17:59'), at(20, '17:59')],
    [at(20, '18:00'), at(23, '09:00')],
    [at(21, '00:00'), at(23, '09:00')],
    [at(22, '23:59'), at(23, '09:00')],
  ])('after %s the next opening is %s', (moment, opening) => {
    expect(nextOpening(moment, worked)).toEqual(opening);
  });

  it('the next opening is open, not earlier, and nothing between was', () => {
    fc.assert(
      fc.property(moments, fc.double({ min: 0, max: 1, noNaN: true }), (moment, part) => {
        const opening = nextOpening(moment, worked);
        expect(isOpen(opening, worked)).toBe(true);
        const gap = opening.getTime() - moment.getTime();
        expect(gap).toBeGreaterThanOrEqual(0);
        const between = new Date(moment.getTime() + Math.floor(gap * part));
        if (between < opening) expect(isOpen(between, worked)).toBe(false);
      }),
    );
  });
});

describe('working hours', () => {
  test.each([
    [at(19, '10:20'), 2, at(19, '12:20')],
    [at(19, '10:20'), 12, at(20, '13:20')],
    [at(19, '10:20'), 48, at(26, '13:20')],
    [at(19, '09:00'), 9, at(19, '18:00')],
    [at(20, '17:00'), 1, at(20, '18:00')],
    [at(20, '17:00'), 1.5, at(23, '09:30')],
    [at(20, '18:00'), 0, at(23, '09:00')],
    [at(21, '12:00'), 9, at(23, '18:00')],
    [at(19, '23:00'), 4, at(20, '13:00')],
  ])('%s and %d of them is %s', (from, amount, to) => {
    expect(addWorkingHours(from, amount, worked)).toEqual(to);
  });

  it('add up', () => {
    fc.assert(
      fc.property(moments, hours, hours, (from, first, second) => {
        const twice = addWorkingHours(addWorkingHours(from, first, worked), second, worked);
        const once = addWorkingHours(from, first + second, worked);
        // A stop at closing time is the same as one at the next opening.
        expect(nextOpening(twice, worked)).toEqual(nextOpening(once, worked));
      }),
    );
  });

  it('are as many as there are open minutes on the way', () => {
    const start = fc
      .integer({ min: 0, max: 14 * 24 * 60 })
      .map((m) => at(16, '00:00').getTime() + m * 60_000);
    fc.assert(
      fc.property(start, fc.integer({ min: 0, max: 20 }), (from, amount) => {
        const end = addWorkingHours(new Date(from), amount, worked).getTime();
        let open = 0;
        for (let minute = from; minute < end; minute += 60_000)
          open += isOpen(new Date(minute), worked) ? 1 : 0;
        expect(open).toBe(amount * 60);
      }),
      { numRuns: 50 },
    );
  });
});

describe('working days', () => {
  test.each([
    [at(19, '10:20'), 7, at(30, '10:20')],
    [at(19, '10:20'), 0, at(19, '10:20')],
    [at(19, '10:20'), 1, at(20, '10:20')],
    [at(20, '10:20'), 1, at(23, '10:20')],
    [at(19, '20:00'), 4, at(26, '09:00')],
    [at(21, '15:00'), 4, at(27, '09:00')],
  ])('%s and %d of them is %s', (from, amount, to) => {
    expect(addWorkingDays(from, amount, worked)).toEqual(to);
  });

  it('are nine working hours each', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 30 }), (from, days) => {
        expect(addWorkingDays(from, days, worked)).toEqual(
          nextOpening(addWorkingHours(from, days * 9, worked), worked),
        );
      }),
    );
  });
});

describe('hours from the next opening on', () => {
  test.each([
    [at(19, '10:20'), 1, at(19, '11:20')],
    [at(19, '10:20'), 4, at(19, '14:20')],
    [at(19, '10:20'), 12, at(20, '09:00')],
    [at(19, '10:20'), 24, at(20, '10:20')],
    [at(19, '14:00'), 4, at(19, '18:00')],
    [at(19, '14:01'), 4, at(20, '09:00')],
    [at(20, '10:20'), 24, at(23, '10:20')],
    [at(20, '10:20'), 12, at(23, '09:00')],
    [at(20, '15:00'), 9, at(23, '09:00')],
    [at(21, '02:00'), 1, at(23, '10:00')],
    [at(18, '23:00'), 24, at(20, '09:00')],
  ])('%s and %d of them is %s', (from, amount, to) => {
    expect(addHoursFromOpening(from, amount, worked)).toEqual(to);
  });

  it('are a working day when they are 24', () => {
    fc.assert(
      fc.property(moments, (from) => {
        expect(addHoursFromOpening(from, 24, worked)).toEqual(addWorkingDays(from, 1, worked));
      }),
    );
  });
});

describe('every way of counting', () => {
  const ways = [addWorkingHours, addWorkingDays, addHoursFromOpening];

  it('never ends earlier for more time or for a later start', () => {
    fc.assert(
      fc.property(moments, hours, hours, hours, (from, amount, more, later) => {
        const start = new Date(from.getTime() + later * 3_599_999);
        for (const way of ways) {
          const end = way(from, amount, worked).getTime();
          expect(end).toBeGreaterThanOrEqual(from.getTime());
          expect(way(from, amount + more, worked).getTime()).toBeGreaterThanOrEqual(end);
          expect(way(start, amount, worked).getTime()).toBeGreaterThanOrEqual(end);
        }
      }),
    );
  });

  it('refuses what is no moment', () => {
    for (const way of ways) {
      expect(() => way(new Date(Number.NaN), 1, worked)).toThrow(RangeError);
      expect(() => way(new Date(8.64e15), 1, worked)).toThrow(RangeError);
    }
  });

  it('refuses to go back', () => {
    for (const way of ways) {
      for (const amount of [-1, Number.NaN, Infinity]) {
        expect(() => way(at(19, '10:20'), amount, worked)).toThrow(RangeError);
      }
    }
  });
});

describe('official holidays', () => {
  const day = (text: string, time: string) => new Date(`${text}T${time}:00Z`);
  const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

  test.each([
    // Kurban Bayramı 2027: 15 to 19 May with its eve, the 19th being the Youth Day as well.
    ['hours', addWorkingHours, day('2027-05-14', '17:00'), 2, day('2027-05-20', '10:00')],
    ['days', addWorkingDays, day('2027-05-14', '10:00'), 1, day('2027-05-20', '10:00')],
    [
      'round the clock',
      addHoursFromOpening,
      day('2027-05-14', '10:00'),
      24,
      day('2027-05-20', '10:00'),
    ],
    // The afternoon before the Republic Day begins at 13:00 in Türkiye.
    ['hours', addWorkingHours, day('2026-10-27', '17:00'), 2, day('2026-10-30', '10:00')],
    ['hours', addWorkingHours, day('2026-12-31', '17:00'), 2, day('2027-01-04', '10:00')],
    ['days', addWorkingDays, day('2027-04-23', '12:00'), 0, day('2027-04-26', '09:00')],
  ])('%s pass over them', (_, add, from, amount, to) => {
    expect(add(from, amount, worked)).toEqual(to);
  });

  const additions = fc.constantFrom(addWorkingHours, addWorkingDays, addHoursFromOpening);

  it('hold no promised moment, and make none earlier', () => {
    fc.assert(
      fc.property(additions, moments, hours, (add, from, amount) => {
        const promised = add(from, amount, worked);
        expect(holidayByDay(dayOf(promised))).toBeNull();
        expect([0, 6]).not.toContain(promised.getUTCDay());
      }),
      { numRuns: 2000 },
    );
  });

  it('are named where they lie on weekdays', () => {
    expect(closedDays(day('2027-05-14', '10:00'), day('2027-05-20', '10:00'), firstOffice)).toEqual(
      [{ why: 'kurban', first: '2027-05-17', last: '2027-05-19' }],
    );
    expect(closedDays(day('2026-11-23', '10:00'), day('2026-12-31', '18:00'), firstOffice)).toEqual(
      [],
    );
  });
});

describe('days on which the operator closes the office', () => {
  const additions = fc.constantFrom(addWorkingHours, addWorkingDays, addHoursFromOpening);
  const dayAfter = (from: Date, days: number) =>
    new Date(from.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const text = (moment: Date) => dayAfter(moment, 0);
  /** Up to four closures that begin from two weeks before a moment to six weeks after it. */
  const closuresAround = (from: Date) =>
    fc.array(
      fc
        .record({ after: fc.integer({ min: -14, max: 42 }), days: fc.integer({ min: 1, max: 31 }) })
        .map(({ after, days }): Closure => {
          return { from: dayAfter(from, after), to: dayAfter(from, after + days - 1) };
        }),
      { maxLength: 4 },
    );
  const cases = moments.chain((from) =>
    fc.record({
      from: fc.constant(from),
      closures: closuresAround(from),
      added: closuresAround(from),
      add: additions,
      amount: hours,
    }),
  );

  it('hold no promised moment, and one more closure makes none earlier', () => {
    fc.assert(
      fc.property(cases, ({ from, closures, added, add, amount }) => {
        const before = add(from, amount, closedOn(closures));
        const all = [...closures, ...added];
        const promised = add(from, amount, closedOn(all));
        expect(promised.getTime()).toBeGreaterThanOrEqual(before.getTime());
        for (const one of all)
          expect(one.from <= text(promised) && text(promised) <= one.to).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('change nothing outside the stretch that is counted', () => {
    fc.assert(
      fc.property(cases, ({ from, closures, added, add, amount }) => {
        const promised = add(from, amount, closedOn(closures));
        const outside = added.filter((one) => one.to < text(from) || one.from > text(promised));
        expect(add(from, amount, closedOn([...closures, ...outside]))).toEqual(promised);
      }),
      { numRuns: 2000 },
    );
  });

  it('change nothing on days that are closed anyway', () => {
    fc.assert(
      fc.property(cases, ({ from, closures, add, amount }) => {
        const promised = add(from, amount, closedOn(closures));
        const closedAnyway = Array.from({ length: 120 }, (_, days) => dayAfter(from, days - 10))
          .filter((one) => !isWorkingDay(new Date(`${one}T12:00:00Z`), closedOn(closures)))
          .map((one): Closure => ({ from: one, to: one }));
        expect(add(from, amount, closedOn([...closures, ...closedAnyway]))).toEqual(promised);
      }),
    );
  });

  it('are told apart from holidays, and from one another by the worked days between them', () => {
    const closures = [
      { from: '2026-12-24', to: '2026-12-25' },
      { from: '2026-12-28', to: '2026-12-28' },
      { from: '2026-12-30', to: '2027-01-04' },
    ];
    const [from, to] = [new Date('2026-12-22T10:00:00Z'), new Date('2027-01-06T10:00:00Z')];
    expect(closedDays(from, to, closedOn(closures))).toEqual([
      { why: 'office', first: '2026-12-24', last: '2026-12-28' },
      { why: 'office', first: '2026-12-30', last: '2026-12-31' },
      { why: 'new_year', first: '2027-01-01', last: '2027-01-01' },
      { why: 'office', first: '2027-01-04', last: '2027-01-04' },
    ]);
    expect(addWorkingDays(from, 2, closedOn(closures))).toEqual(new Date('2026-12-29T10:00:00Z'));
  });
});

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
  expect(holidayByDay(day)).toBe(holiday);
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
      for (const { date, days, hasEve, name } of [
        ...frozenHolidays(year),
        ...frozenHolidays(year + 1),
      ]) {
        for (let at = hasEve ? -1 : 0; at < days; at += 1) {
          const day = after(date, at);
          const isFeast = hasEve || !expected.has(day);
          if (isFeast) expected.set(day, named[name] ?? name);
        }
      }
      for (let day = `${year}-01-01`; day < `${year}-12-30`; day = after(day, 1)) {
        expect(holidayByDay(day), day).toBe(expected.get(day) ?? null);
      }
    }
  });

  // A fixed day, so that no commit's tests begin to fail by themselves; operations.md says until when the table holds.
  it('holds for every promise made until the end of 2044', () => {
    const paidAt = new Date('2044-12-31T23:59:00Z');
    const promised = Math.max(
      ...(['without_document', 'with_document'] as const).map((path) =>
        latestPromise(path, paidAt, firstOffice).getTime(),
      ),
    );
    expect(new Date(promised).getUTCFullYear()).toBeLessThanOrEqual(FROZEN_YEARS.last);
    expect(feasts.kurban.split(' ').at(-1)).toMatch(`${FROZEN_YEARS.last}`);
    expect(feasts.ramazan.split(' ').at(-1)).toMatch(`${FROZEN_YEARS.last}`);
  });
});
