import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { calendarWords } from './calendar-words.ts';
import { dateFromParts, faultIn, noDate, monthNamed } from './dates.ts';
import { languages } from '../languages.ts';

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
    expect(faultIn(noDate({ day, month, year }))).toBe(fault);
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
          for (const form of forms) expect([form, monthNamed(form)]).toEqual([form, index + 1]);
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
          expect([name, monthNamed(name)]).toEqual([name, month]);
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
    expect(monthNamed(name)).toBe(month);
  });

  test.each(['', 'm', 'ma', 'jui', 'كانون', 'Monday', '3', 'marchh'])('%j is none', (name) => {
    expect(monthNamed(name)).toBeNull();
  });
});
