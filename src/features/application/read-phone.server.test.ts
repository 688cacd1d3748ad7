import fc from 'fast-check';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { flagCode } from '~/features/catalog/country-answer.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { languages } from '~/base/languages.ts';
import { matchCountries } from '~/features/catalog/picker/search.ts';
import {
  tidyPhone,
  phoneNumberCountry,
  replacePhoneCode,
  phoneCodeOptions,
} from './phone-codes.ts';
import { readPhone, withReadPhone, writePhone, phoneCodesByLanguage } from './read-phone.server.ts';
import { phone } from './texts.ts';

const SOUTH_AFRICA = 'ZAF';

/** Tidies, then reads, as a form does. */
const read = (typed: string, nationality: string = SOUTH_AFRICA) => {
  const tidy = z.parse(phone(), typed);
  const found = readPhone(tidy, nationality);
  return found.ok ? found.value : found.error;
};

test.each([
  ['082 123 4567', 'ZAF', '+27821234567'],
  ['0821234567', 'ZAF', '+27821234567'],
  ['27 82 123 4567', 'ZAF', '+27821234567'],
  ['+27 (0)82 123-4567', 'ZAF', '+27821234567'],
  ['0027 82 123 4567', 'IND', '+27821234567'],
  ['+27 82 123 4567', '', '+27821234567'],
  ['+44 20 7946 0123', 'ZAF', '+442079460123'],
  ['０８２　１２３　４５６７', 'ZAF', '+27821234567'],
  ['＋２７ ۸۲ ۱۲۳ ٤٥٦٧', 'ZAF', '+27821234567'],
  ['०८२ १२३ ४५६७', 'ZAF', '+27821234567'],
  ['\u202a+27 82 123 4567\u202c', 'ZAF', '+27821234567'],
  ['+27–82–123–4567', 'ZAF', '+27821234567'],
  ['9123 4567', 'GBN', '+85291234567'],
  ['+27\t82\u00a0123\t4567', 'ZAF', '+27821234567'],
  ['082\t123 4567', 'ZAF', '+27821234567'],
  ['+52 1 55 1234 5678', 'MEX', '+525512345678'],
  ['005215512345678', 'ZAF', '+525512345678'],
  ['+52 045 55 1234 5678', 'MEX', '+525512345678'],
  ['044 55 1234 5678', 'MEX', '+525512345678'],
  ['1 55 1234 5678', 'MEX', '+525512345678'],
  ['+52 55 1234 5678', 'MEX', '+525512345678'],
  ['+229 97 12 34 56', 'BEN', '+2290197123456'],
  ['97 12 34 56', 'BEN', '+2290197123456'],
  ['+225 07 12 34 56', 'CIV', '+2250707123456'],
  ['+225 44 12 34 56', 'CIV', '+2250544123456'],
  ['+54 11 15 2345 6789', 'ARG', '+5491123456789'],
  ['+54 9 11 15 2345 6789', 'ARG', '+5491123456789'],
  ['+54 9 351 15 312 3456', 'ARG', '+5493513123456'],
  ['011 15 2345 6789', 'ARG', '+5491123456789'],
  ['+52 1 55 1234 56', 'MEX', 'not_possible'],
  ['+229 00 12 34 56', 'BEN', 'not_possible'],
  ['082 123 4567', 'IND', 'not_in_country'],
  ['082 123 4567', '', 'no_country_code'],
  ['082 123 4567', 'nobody', 'no_country_code'],
  ['12345', 'ZAF', 'not_in_country'],
  ['+27 82 123 4567 89', 'ZAF', 'not_possible'],
  ['+1 212 555 01', 'ZAF', 'not_possible'],
  ['+999 82 123 4567', 'ZAF', 'not_possible'],
  ['+0821234567', 'ZAF', 'not_possible'],
])('%j of %s: %s', (typed, nationality, number) => {
  expect(read(typed, nationality)).toBe(number);
});

test('an extension is refused here as it is in the browser, and never dropped', () => {
  for (const typed of ['+52 33 1234 5678 ext 5', '082 123 4567 ext. 5']) {
    expect(z.safeParse(phone(), typed).success).toBe(false);
    expect(readPhone(tidyPhone(typed), SOUTH_AFRICA)).toMatchObject({ ok: false });
    expect(writePhone(typed, SOUTH_AFRICA)).toBe(typed);
  }
});

test('the number that is kept is shown with its country code', () => {
  expect(writePhone('082 123 4567', 'ZAF')).toBe('+27 82 123 4567');
  expect(writePhone('+27821234567', '')).toBe('+27 82 123 4567');
  expect(writePhone('082 123 4567', 'IND')).toBe('082 123 4567');
  expect(writePhone('call me', 'ZAF')).toBe('call me');
});

test('the same number in another form is no change', () => {
  expect(withReadPhone({ phone: '+27 82 123 4567', lastName: 'Naidoo' }, 'ZAF')).toEqual({
    phone: '+27821234567',
    lastName: 'Naidoo',
  });
  expect(withReadPhone({ phone: '12' }, 'ZAF')).toEqual({ phone: '12' });
});

/** A mobile number of each nationality whose country has phone numbers of its own, in E.164. */
const numbers = referenceCountries.flatMap((country) => {
  const region = getCountries().find((one) => one === flagCode(country));
  const example = region && getExampleNumber(region, examples);
  return example ? [{ nationality: country.code, e164: example.number }] : [];
});

/** How people write digits: zero in several scripts, the other nine after it. */
const zeros = ['0', '٠', '۰', '०', '০', '๐', '０'].map((zero) => zero.codePointAt(0) ?? 0);
const inScripts = (text: string, choice: readonly number[]): string =>
  text.replace(/\d/g, (digit, at: number) =>
    String.fromCodePoint((zeros[(choice[at] ?? 0) % zeros.length] ?? 0) + Number(digit)),
  );

describe('for every nationality', () => {
  const someNumber = fc.constantFrom(...numbers);
  const scripts = fc.array(fc.nat(zeros.length - 1), { minLength: 30, maxLength: 30 });

  it('a number of its country is kept with the code, however it is written', () => {
    expect(numbers.length).toBeGreaterThan(190);
    fc.assert(
      fc.property(someNumber, scripts, ({ nationality, e164 }, choice) => {
        const number = parsePhoneNumberFromString(e164);
        for (const style of ['NATIONAL', 'INTERNATIONAL', 'IDD'] as const) {
          const written = style === 'IDD' ? e164.replace('+', '00') : (number?.format(style) ?? '');
          expect(read(inScripts(written, choice), nationality), written).toBe(e164);
        }
      }),
    );
  });

  it('what is kept is read again as itself by whoever knows no nationality', () => {
    fc.assert(
      fc.property(someNumber, fc.string(), ({ nationality, e164 }, typed) => {
        for (const text of [e164, typed]) {
          const found = readPhone(tidyPhone(text), nationality);
          if (found.ok) {
            expect(found.value).toMatch(/^\+[1-9]\d{4,14}$/);
            expect(readPhone(found.value, '')).toEqual(found);
          }
        }
      }),
    );
  });

  it('any text is answered, never an exception', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('+0123456789٠۹０()-/. \u200f')) });
    fc.assert(
      fc.property(text, fc.constantFrom('ZAF', 'GBN', 'XKX', ''), (typed, nationality) => {
        expect(writePhone(typed, nationality)).toBeTypeOf('string');
      }),
    );
  });
});

const options = phoneCodeOptions(phoneCodesByLanguage('en'));

describe('the list', () => {
  test.each(languages)('names each country once, with its code, in $code', ({ code: language }) => {
    const list = phoneCodeOptions(phoneCodesByLanguage(language));
    expect(list.length).toBeGreaterThan(190);
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    // Countries, not passports: only the two Congos need brackets.
    const bracketed = list.filter(({ name }) => !/^[^()]+ \(\u2066\+\d{1,3}\u2069\)$/.test(name));
    expect(bracketed.filter(({ id }) => id !== 'COD' && id !== 'COG')).toEqual([]);
    expect(list.find(({ id }) => id === 'TUR')?.name).toContain('+90');
    expect(phoneCodeOptions(phoneCodesByLanguage(language))).toBe(list);
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
      const number = `${replacePhoneCode('+', options, id)}23456789`;
      expect(phoneNumberCountry(number, options, id), id).toBe(id);
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
    expect(phoneNumberCountry(typed, options, preferred)).toBe(country);
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
    expect(replacePhoneCode(typed, options, country)).toBe(number);
  });

  it('lets the server read a number without a code, whatever the nationality', () => {
    expect(writePhone('0170 1234567', 'DEU')).toBe('+49 170 1234567');
    expect(writePhone('0532 123 45 67', 'TUR')).toBe('+90 532 123 45 67');
    expect(readPhone('+49 0170 1234567', 'ZAF')).toEqual({ ok: true, value: '+491701234567' });
  });
});
