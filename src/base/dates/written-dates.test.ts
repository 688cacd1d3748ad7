import { describe, expect, it, test } from 'vitest';
import {
  formatDate,
  formatDateShort,
  formatMoment,
  parseDate,
  type MomentStyle,
  type PlainDate,
} from './dates.ts';
import { languages, type Language } from '../languages.ts';
import { isTimeZone, zoneLabel } from './wall-clock.ts';

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
