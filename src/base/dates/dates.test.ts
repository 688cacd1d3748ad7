import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { languages, type Language } from '../languages.ts';
import {
  addDays,
  addMonths,
  ageOn,
  toPlainDate,
  daysBetween,
  daysInclusive,
  isPlainDate,
  parseDate,
  splitDate,
  type PlainDate,
  dateFromParts,
  readDateFault,
  writeDateFault,
  parseMonthName,
  formatDate,
  formatDateShort,
  formatMoment,
  type MomentStyle,
} from './dates.ts';
import { calendarWords } from './calendar-words.ts';
import { isTimeZone, zoneLabel, wallClock } from './wall-clock.ts';
import { joinMoment, writeMoment } from './write-moment.ts';

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(`${text} is no date`);
  return date;
}

const anyDay = fc.integer({ min: 0, max: 200_000 }).map((days) => addDays(day('1600-01-01'), days));

describe('a date', () => {
  test.each(['2027-03-05', '2028-02-29', '2000-02-29', '1000-01-01', '9999-12-31'])(
    '%s is one',
    (text) => {
      expect(parseDate(text)).toBe(text);
    },
  );

  test.each([
    '2027-02-29',
    '1900-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-5',
    '27-01-05',
    '0027-01-05',
    '+02027-01-05',
    '-2027-01-05',
    '2027-03-05T00:00:00Z',
    '2027/03/05',
    '05-03-2027',
    ' 2027-03-05',
    '2027-03-05\n',
    '٢٠٢٧-٠٣-٠٥',
    '',
    'unlimited',
  ])('%j is none', (text) => {
    expect(parseDate(text)).toBeNull();
  });

  it('is taken exactly when the calendar knows the day', () => {
    const two = (part: number) => String(part).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, date) => {
          const at = new Date(Date.UTC(year, month - 1, date));
          const real =
            at.getUTCFullYear() === year &&
            at.getUTCMonth() === month - 1 &&
            at.getUTCDate() === date;
          expect(isPlainDate(`${year}-${two(month)}-${two(date)}`)).toBe(real);
        },
      ),
    );
  });

  it('has parts', () => {
    expect(splitDate(day('2027-03-05'))).toEqual({ year: 2027, month: 3, day: 5 });
  });
});

describe('reckoning with days', () => {
  it('goes forth and back again', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -5000, max: 5000 }), (from, days) => {
        const to = addDays(from, days);
        expect(daysBetween(from, to)).toBe(days);
        expect(addDays(to, -days)).toBe(from);
      }),
    );
  });

  it('counts both ends of a trip', () => {
    expect(daysInclusive(day('2027-03-05'), day('2027-03-05'))).toBe(1);
    expect(daysInclusive(day('2027-02-26'), day('2027-03-04'))).toBe(7);
  });

  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-05-31', 6, '2026-11-30'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-08-20', 0, '2026-08-20'],
  ])('%s and %d months is %s', (from, months, to) => {
    expect(addMonths(day(from), months)).toBe(to);
  });

  it('lands in the month meant, never past its end', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -600, max: 600 }), (from, months) => {
        const before = splitDate(from);
        const after = splitDate(addMonths(from, months));
        expect(after.year * 12 + after.month).toBe(before.year * 12 + before.month + months);
        expect(after.day).toBeLessThanOrEqual(before.day);
      }),
    );
  });

  it('does not leave the years 1000 to 9999', () => {
    expect(() => addDays(day('9999-12-31'), 1)).toThrow(RangeError);
    expect(() => addDays(day('1000-01-01'), -1)).toThrow(RangeError);
    expect(() => addMonths(day('9999-12-31'), 1)).toThrow(RangeError);
  });
});

describe('age', () => {
  test.each([
    ['2008-11-20', '2026-11-19', 17],
    ['2008-11-20', '2026-11-20', 18],
    ['2008-11-20', '2026-11-21', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['2026-11-19', '2026-11-19', 0],
    ['2026-11-20', '2026-11-19', -1],
  ])('born %s, on %s: %d', (birth, on, age) => {
    expect(ageOn(day(birth), day(on))).toBe(age);
  });

  it('rises by one a year and never falls', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 40_000 }), (birth, days) => {
        const on = addDays(birth, days);
        expect(ageOn(birth, addDays(on, 1))).toBeGreaterThanOrEqual(ageOn(birth, on));
        expect(ageOn(birth, addMonths(on, 12)) - ageOn(birth, on)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the day of a moment', () => {
  test.each([
    ['2026-11-19T20:59:59Z', 'UTC', '2026-11-19'],
    ['2026-11-19T20:59:59Z', 'Europe/Istanbul', '2026-11-19'],
    ['2026-11-19T21:00:00Z', 'Europe/Istanbul', '2026-11-20'],
    ['2026-12-31T23:00:00Z', 'Asia/Tokyo', '2027-01-01'],
    ['2027-01-01T04:59:00Z', 'America/New_York', '2026-12-31'],
  ])('%s in %s is %s', (instant, zone, date) => {
    expect(toPlainDate(new Date(instant), zone)).toBe(date);
  });
});

describe('a date typed into three fields', () => {
  test.each([
    [{ day: '5', month: '3', year: '2027' }, '2027-03-05'],
    [{ day: '05', month: '03', year: '2027' }, '2027-03-05'],
    [{ day: 5, month: 3, year: 2027 }, '2027-03-05'],
    [{ day: ' 5 ', month: ' march ', year: ' 2027 ' }, '2027-03-05'],
    [{ day: '5.', month: 'März', year: '2027' }, '2027-03-05'],
    [{ day: '٥', month: '٣', year: '٢٠٢٧' }, '2027-03-05'],
    [{ day: '۵', month: 'مارس', year: '۲۰۲۷' }, '2027-03-05'],
    [{ day: '\u200e5', month: 'مارس', year: '\u200e2027\u200f' }, '2027-03-05'],
    [{ day: '29', month: 'ŞUBAT', year: '2028' }, '2028-02-29'],
    [{ day: '31', month: 'Décembre', year: '1999' }, '1999-12-31'],
  ])('%j is %s', (typed, date) => {
    expect(dateFromParts(typed)).toBe(date);
  });

  test.each([
    { day: '29', month: '2', year: '2027' },
    { day: '31', month: 'April', year: '2027' },
    { day: '0', month: '3', year: '2027' },
    { day: '5', month: '13', year: '2027' },
    { day: '5', month: '3', year: '27' },
    { day: '5', month: '3', year: '0027' },
    { day: '5', month: '3', year: '20270' },
    { day: '', month: '3', year: '2027' },
    { day: '5', month: '', year: '2027' },
    { day: '5', month: '3', year: '' },
    { day: '5', month: 'Smarch', year: '2027' },
    { day: '5', month: 'jui', year: '2027' },
    { day: '-5', month: '3', year: '2027' },
    { day: '5e0', month: '3', year: '2027' },
    { day: 5.5, month: 3, year: 2027 },
    { day: Number.NaN, month: 3, year: 2027 },
  ])('%j is none', (typed) => {
    expect(dateFromParts(typed)).toBeNull();
  });

  test.each([
    ['', '', '', 'day_missing'],
    ['', '12', '2026', 'day_missing'],
    ['5', ' ', '2026', 'month_missing'],
    ['5', '3', '', 'year_missing'],
    ['31', 'February', '2027', 'no_such_day'],
    ['32', '3', '2027', 'day_unreal'],
    ['5th', '3', '2027', 'day_unreal'],
    ['5', '13', '2027', 'month_unreal'],
    ['5', 'Smarch', '27', 'month_unreal'],
    ['5', '3', '27', 'year_digits'],
    ['٥', '٣', '٢٧', 'year_digits'],
  ])('%j %j %j: the part at fault is named, %s', (day, month, year, fault) => {
    expect(readDateFault(writeDateFault({ day, month, year }))).toBe(fault);
  });

  it('never fails, whatever is typed', () => {
    const anything = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(anything, fc.string(), fc.string(), (month, day, year) => {
        expect(() => dateFromParts({ day, month, year })).not.toThrow();
      }),
    );
  });
});

describe('the name of a month', () => {
  it('is known in every language, in full and short, in any case and without accents', () => {
    for (const { code, intl } of languages) {
      const { months, monthsShort } = calendarWords[code];
      for (const names of [months, monthsShort]) {
        names.forEach((name, index) => {
          const without = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
          const forms = [name, name.toUpperCase(), name.toLocaleUpperCase(intl), without];
          for (const form of forms) expect([form, parseMonthName(form)]).toEqual([form, index + 1]);
        });
      }
    }
  });

  it('is known as the platform writes it', () => {
    for (const { intl } of languages) {
      for (const style of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(intl, { month: style, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month += 1) {
          const name = format.format(new Date(Date.UTC(2026, month - 1, 15)));
          expect([name, parseMonthName(name)]).toEqual([name, month]);
        }
      }
    }
  });

  test.each([
    ['sept', 9],
    ['Octob', 10],
    ['agust', 8],
    ['maerz', 3],
    ['Jänner', 1],
    ['setiembre', 9],
    ['كانون الثاني', 1],
    ['كانون  الأول', 12],
    ['تشرين الثاني', 11],
    ['شباط', 2],
    ['ابريل', 4],
    ['جويلية', 7],
    ['غشت', 8],
    ['يناير', 1],
    ['ينـــاير', 1],
    ['EKİM', 10],
    ['ARALIK', 12],
  ])('%s is %d', (name, month) => {
    expect(parseMonthName(name)).toBe(month);
  });

  test.each(['', 'm', 'ma', 'jui', 'كانون', 'Monday', '3', 'marchh'])('%j is none', (name) => {
    expect(parseMonthName(name)).toBeNull();
  });
});

describe('written dates', () => {
  function day(text: string): PlainDate {
    const date = parseDate(text);
    if (!date) throw new Error(`${text} is no date`);
    return date;
  }

  const promised = new Date('2026-11-26T13:20:00Z');

  describe('a written date', () => {
    test.each<[Language, string, string]>([
      ['en', '5 March 2027', '5 Mar 2027'],
      ['tr', '5 Mart 2027', '5 Mar 2027'],
      ['fr', '5 mars 2027', '5 mars 2027'],
      ['de', '5. März 2027', '5. März 2027'],
      ['es', '5 de marzo de 2027', '5 mar 2027'],
      ['ar', '5 مارس 2027', '5 مارس 2027'],
    ])('in %s is %s', (language, long, short) => {
      expect(formatDate(day('2027-03-05'), language)).toBe(long);
      expect(formatDateShort(day('2027-03-05'), language)).toBe(short);
    });

    it('has the French first of the month', () => {
      expect(formatDate(day('2027-05-01'), 'fr')).toBe('1er mai 2027');
    });

    it('names the month with a word and its digits are Latin, in every language and month', () => {
      for (const { code } of languages) {
        for (let month = 1; month <= 12; month += 1) {
          const date = day(`2027-${String(month).padStart(2, '0')}-28`);
          for (const text of [formatDate(date, code), formatDateShort(date, code)]) {
            expect(text.match(/\p{Nd}+/gu)).toEqual(['28', '2027']);
            expect(text).toMatch(/\p{L}{3,}/u);
          }
        }
      }
    });
  });

  describe('a written moment', () => {
    test.each<[Language, string, string]>([
      ['en', 'Thu 26 Nov, 13:20 UTC', 'Thursday 26 November 2026, 13:20 UTC'],
      ['tr', '26 Kas Per, 13:20 UTC', '26 Kasım 2026 Perşembe, 13:20 UTC'],
      ['fr', 'jeu. 26 nov., 13:20 UTC', 'jeudi 26 novembre 2026, 13:20 UTC'],
      ['de', 'Do., 26. Nov., 13:20 UTC', 'Donnerstag, 26. November 2026, 13:20 UTC'],
      ['es', 'jue, 26 nov, 13:20 UTC', 'jueves, 26 de noviembre de 2026, 13:20 UTC'],
      ['ar', 'الخميس 26 نوفمبر، 13:20 UTC', 'الخميس 26 نوفمبر 2026، 13:20 UTC'],
    ])('in %s is %s', (language, short, long) => {
      expect(formatMoment(promised, language, 'UTC', 'short')).toBe(short);
      expect(formatMoment(promised, language, 'UTC', 'long')).toBe(long);
    });

    test.each<[MomentStyle, string, string]>([
      ['time', 'Europe/Istanbul', '16:20 UTC+3'],
      ['short', 'Europe/Istanbul', 'Thu 26 Nov, 16:20 UTC+3'],
      ['short', 'UTC', 'Thu 26 Nov, 13:20 UTC'],
      ['dated', 'UTC', 'Thu 26 Nov 2026, 13:20 UTC'],
      ['dated', 'Asia/Kolkata', 'Thu 26 Nov 2026, 18:50 UTC+5:30'],
      ['long', 'Pacific/Auckland', 'Friday 27 November 2026, 02:20 UTC+13'],
    ])('%s in %s is "%s"', (style, zone, text) => {
      expect(formatMoment(promised, 'en', zone, style)).toBe(text);
    });

    it('writes midnight as 00:00', () => {
      expect(formatMoment(new Date('2026-11-26T00:00:00Z'), 'en', 'UTC', 'time')).toBe('00:00 UTC');
    });

    it('agrees with the platform on the weekday of each day of a year', () => {
      const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
      for (let date = 1; date <= 366; date += 1) {
        const at = new Date(Date.UTC(2028, 0, date));
        expect(formatMoment(at, 'en', 'UTC', 'long').split(' ')[0]).toBe(weekday.format(at));
      }
    });
  });

  describe('a time zone', () => {
    test.each([
      ['2026-11-26T13:20:00Z', 'UTC', 'UTC'],
      ['2026-11-26T13:20:30Z', 'Europe/London', 'UTC'],
      ['2026-07-26T13:20:30Z', 'Europe/London', 'UTC+1'],
      ['2026-11-26T13:20:30Z', 'America/St_Johns', 'UTC−3:30'],
      ['2026-11-26T01:20:00Z', 'America/Los_Angeles', 'UTC−8'],
    ])('at %s in %s is %s', (instant, zone, label) => {
      expect(zoneLabel(new Date(instant), zone)).toBe(label);
    });

    test.each([
      ['Europe/Istanbul', true],
      ['UTC', true],
      ['Mars/Olympus', false],
      ['', false],
      ['<script>', false],
    ])('%j known: %s', (name, known) => {
      expect(isTimeZone(name)).toBe(known);
    });
  });
});

const zones = ['UTC', 'Etc/GMT+12', '+05:45', ...Intl.supportedValuesOf('timeZone')];

/** What `Intl` says, asked anew. */
function asked(instant: Date, timeZone: string) {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(instant);
  const [date = '', time = ''] = text.split(' ');
  return { date, time };
}

const someMoment = fc.date({
  min: new Date('1973-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('the wall clock of a zone', () => {
  it('shows what Intl says, in every zone at any moment', () => {
    fc.assert(
      fc.property(someMoment, fc.constantFrom(...zones), (instant, zone) => {
        expect(wallClock(instant, zone)).toEqual(asked(instant, zone));
        // Once more, from what was kept.
        expect(wallClock(instant, zone)).toEqual(asked(instant, zone));
      }),
      { numRuns: 400 },
    );
  });

  it('changes at the very minute on a day on which clocks change', () => {
    const berlin = (text: string) => wallClock(new Date(text), 'Europe/Berlin').time;
    expect(berlin('2026-10-25T00:59:00Z')).toBe('02:59');
    expect(berlin('2026-10-25T01:00:00Z')).toBe('02:00');
    expect(zoneLabel(new Date('2026-10-25T00:59:00Z'), 'Europe/Berlin')).toBe('UTC+2');
    expect(zoneLabel(new Date('2026-10-25T01:00:00Z'), 'Europe/Berlin')).toBe('UTC+1');
  });

  it('knows moments before zones were whole minutes apart', () => {
    expect(wallClock(new Date('1960-06-01T12:00:00Z'), 'UTC')).toEqual({
      date: '1960-06-01',
      time: '12:00',
    });
    expect(wallClock(new Date('1971-06-01T12:00:00Z'), 'Africa/Monrovia').time).toBe('11:15');
  });

  it('refuses unknown zones, also where much is kept', () => {
    expect(isTimeZone('Europe/Istanbul')).toBe(true);
    expect(isTimeZone('Europe/Byzantium')).toBe(false);
    expect(() => wallClock(new Date(0), 'Europe/Byzantium')).toThrow(RangeError);
  });
});

const at = new Date('2026-12-04T12:16:00Z');
const written = (zone: string | null, moment = at, today?: Date) =>
  joinMoment(
    writeMoment(moment, {
      t: makeTranslate('en', 'ui'),
      language: 'en',
      zone,
      style: 'short',
      today,
    }),
  );

test.each([
  [null, 'Fri 4 Dec, 12:16 UTC (15:16 in Türkiye)'],
  ['UTC', 'Fri 4 Dec, 12:16 UTC (15:16 in Türkiye)'],
  ['America/Mexico_City', 'Fri 4 Dec, 06:16 UTC−6 (15:16 in Türkiye)'],
  ['Europe/Istanbul', 'Fri 4 Dec, 15:16 in Türkiye'],
])('a moment for a reader in %s', (zone, text) => {
  expect(written(zone)).toBe(text);
});

describe('a moment', () => {
  it('says the day in Türkiye where that is another', () => {
    expect(written(null, new Date('2026-12-04T21:30:00Z'))).toBe(
      'Fri 4 Dec, 21:30 UTC (Sat 5 Dec, 00:30 in Türkiye)',
    );
  });

  it('may say today', () => {
    expect(written(null, at, new Date('2026-12-04T09:00:00Z'))).toBe(
      'Today, 12:16 UTC (15:16 in Türkiye)',
    );
    expect(written(null, at, new Date('2026-12-03T09:00:00Z'))).not.toContain('Today');
  });

  it.each(languages)('names Türkiye once and no zone beside it, in $code', ({ code }) => {
    const t = makeTranslate(code, 'ui');
    for (const zone of [null, 'Asia/Dubai', 'Europe/Istanbul']) {
      const text = joinMoment(writeMoment(at, { t, language: code, zone, style: 'long' }));
      expect(text.match(/Türkiye|Türkei|Turquie|Turquía|تركيا/g)).toHaveLength(1);
      expect(text).not.toContain('UTC+3');
      expect(text).toContain('15:16');
    }
  });
});
