import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { holidayOn } from './holidays.ts';
import {
  addHoursFromOpening,
  addWorkingDays,
  addWorkingHours,
  closedDays,
  everyWeekday,
  isOpen,
  nextOpening,
} from './working-hours.ts';

/** November 2026: the 16th is a Monday, the 19th a Thursday, the 21st a Saturday. */
const at = (day: number, time: string) =>
  new Date(`2026-11-${String(day).padStart(2, '0')}T${time.padEnd(8, ':00')}Z`);
const moments = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2035-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const hours = fc.integer({ min: 0, max: 120 });

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
    expect(isOpen(moment)).toBe(open);
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
    expect(nextOpening(moment)).toEqual(opening);
  });

  it('the next opening is open, not earlier, and nothing between was', () => {
    fc.assert(
      fc.property(moments, fc.double({ min: 0, max: 1, noNaN: true }), (moment, part) => {
        const opening = nextOpening(moment);
        expect(isOpen(opening)).toBe(true);
        const gap = opening.getTime() - moment.getTime();
        expect(gap).toBeGreaterThanOrEqual(0);
        const between = new Date(moment.getTime() + Math.floor(gap * part));
        if (between < opening) expect(isOpen(between)).toBe(false);
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
    expect(addWorkingHours(from, amount)).toEqual(to);
  });

  it('add up', () => {
    fc.assert(
      fc.property(moments, hours, hours, (from, first, second) => {
        const twice = addWorkingHours(addWorkingHours(from, first), second);
        const once = addWorkingHours(from, first + second);
        // A stop at closing time is the same as one at the next opening.
        expect(nextOpening(twice)).toEqual(nextOpening(once));
      }),
    );
  });

  it('are as many as there are open minutes on the way', () => {
    const start = fc
      .integer({ min: 0, max: 14 * 24 * 60 })
      .map((m) => at(16, '00:00').getTime() + m * 60_000);
    fc.assert(
      fc.property(start, fc.integer({ min: 0, max: 20 }), (from, amount) => {
        const end = addWorkingHours(new Date(from), amount).getTime();
        let open = 0;
        for (let minute = from; minute < end; minute += 60_000)
          open += isOpen(new Date(minute)) ? 1 : 0;
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
    expect(addWorkingDays(from, amount)).toEqual(to);
  });

  it('are nine working hours each', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 30 }), (from, days) => {
        expect(addWorkingDays(from, days)).toEqual(nextOpening(addWorkingHours(from, days * 9)));
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
    expect(addHoursFromOpening(from, amount)).toEqual(to);
  });

  it('are a working day when they are 24', () => {
    fc.assert(
      fc.property(moments, (from) => {
        expect(addHoursFromOpening(from, 24)).toEqual(addWorkingDays(from, 1));
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
          const end = way(from, amount).getTime();
          expect(end).toBeGreaterThanOrEqual(from.getTime());
          expect(way(from, amount + more).getTime()).toBeGreaterThanOrEqual(end);
          expect(way(start, amount).getTime()).toBeGreaterThanOrEqual(end);
        }
      }),
    );
  });

  it('refuses what is no moment', () => {
    for (const way of ways) {
      expect(() => way(new Date(Number.NaN), 1)).toThrow(RangeError);
      expect(() => way(new Date(8.64e15), 1)).toThrow(RangeError);
    }
  });

  it('refuses to go back', () => {
    for (const way of ways) {
      for (const amount of [-1, Number.NaN, Infinity]) {
        expect(() => way(at(19, '10:20'), amount)).toThrow(RangeError);
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
    expect(add(from, amount)).toEqual(to);
  });

  const additions = fc.constantFrom(addWorkingHours, addWorkingDays, addHoursFromOpening);

  it('hold no promised moment, and make none earlier', () => {
    fc.assert(
      fc.property(additions, moments, hours, (add, from, amount) => {
        const promised = add(from, amount);
        expect(holidayOn(dayOf(promised))).toBeNull();
        expect([0, 6]).not.toContain(promised.getUTCDay());
        const without = add(from, amount, everyWeekday);
        expect(promised.getTime()).toBeGreaterThanOrEqual(without.getTime());
        // What the page says was skipped is what makes it later.
        if (closedDays(from, promised).length === 0) expect(promised).toEqual(without);
      }),
      { numRuns: 2000 },
    );
  });

  it('are named where they lie on weekdays', () => {
    expect(closedDays(day('2027-05-14', '10:00'), day('2027-05-20', '10:00'))).toEqual([
      { day: '2027-05-17', holiday: 'kurban' },
      { day: '2027-05-18', holiday: 'kurban' },
      { day: '2027-05-19', holiday: 'kurban' },
    ]);
    expect(closedDays(day('2026-11-23', '10:00'), day('2026-12-31', '18:00'))).toEqual([]);
  });
});
