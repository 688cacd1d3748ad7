import { describe, expect, it, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { matchCountries } from '~/features/catalog/picker/search.ts';
import { countryOfNumber, numberWithCodeOf, phoneCodeOptions } from './phone-codes.ts';
import { phoneCodesIn, readPhone, writePhone } from './read-phone.server.ts';

const options = phoneCodeOptions(phoneCodesIn('en'));

describe('the list', () => {
  test.each(languages)('names each country once, with its code, in $code', ({ code: language }) => {
    const list = phoneCodeOptions(phoneCodesIn(language));
    expect(list.length).toBeGreaterThan(190);
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    // Countries, not passports: only the two Congos need brackets.
    const bracketed = list.filter(({ name }) => !/^[^()]+ \(\u2066\+\d{1,3}\u2069\)$/.test(name));
    expect(bracketed.filter(({ id }) => id !== 'COD' && id !== 'COG')).toEqual([]);
    expect(list.find(({ id }) => id === 'TUR')?.name).toContain('+90');
    expect(phoneCodeOptions(phoneCodesIn(language))).toBe(list);
  });

  it.each([
    ['Germany', 'DEU'],
    ['Германия', 'DEU'],
    ['+49', 'DEU'],
    ['49', 'DEU'],
    ['971', 'ARE'],
    ['Turkey', 'TUR'],
    ['UK', 'GBR'],
  ])('is searched for %s', (query, code) => {
    expect(matchCountries(query, options)[0]?.id).toBe(code);
  });

  it('has codes by which the server reads numbers', () => {
    for (const { id } of options) {
      const number = `${numberWithCodeOf('+', options, id)}23456789`;
      expect(countryOfNumber(number, options, id), id).toBe(id);
    }
  });
});

describe('the country of a number', () => {
  test.each([
    ['+49 170 1234567', '', 'DEU'],
    ['0049170', '', 'DEU'],
    ['+٤٩', '', 'DEU'],
    ['+7 701', 'KAZ', 'KAZ'],
    ['+7 495', 'RUS', 'RUS'],
    ['+1 212', 'CAN', 'CAN'],
    ['+90', '', 'TUR'],
    ['+1', '', 'USA'],
    ['+1 868', 'DEU', 'USA'],
    ['+7', '', 'RUS'],
    ['+44', '', 'GBR'],
    ['+7', 'KAZ', 'KAZ'],
    ['+4', 'DEU', null],
    ['+', 'DEU', null],
    ['0170 1234567', 'DEU', ''],
    ['', 'DEU', ''],
  ])('%s, with %s chosen, is %s', (typed, preferred, country) => {
    expect(countryOfNumber(typed, options, preferred)).toBe(country);
  });
});

describe('choosing a country', () => {
  test.each([
    ['', 'DEU', ''],
    ['+27 82 123 4567', 'DEU', '+49 821234567'],
    ['+27 ', 'DEU', '+49 '],
    ['+', 'DEU', '+49 '],
    ['+49 170', 'DEU', '+49 170'],
    ['+7 701', 'RUS', '+7 701'],
    ['0170 1234567', 'DEU', '0170 1234567'],
    ['+999 1', 'DEU', '+999 1'],
    ['0170', '', '0170'],
  ])('makes of %j with %s %j', (typed, country, number) => {
    expect(numberWithCodeOf(typed, options, country)).toBe(number);
  });

  it('lets the server read a number without a code, whatever the nationality', () => {
    expect(writePhone('0170 1234567', 'DEU')).toBe('+49 170 1234567');
    expect(writePhone('0532 123 45 67', 'TUR')).toBe('+90 532 123 45 67');
    expect(readPhone('+49 0170 1234567', 'ZAF')).toEqual({ ok: true, value: '+491701234567' });
  });
});
