import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import { makeComparer } from '~/base/intl.ts';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import {
  PHONE_COUNTRY,
  toPhoneCodes,
  type PhoneCodes,
  tidyPhone,
  type ReadPhone,
} from './phone-codes.ts';
import { ok, refused } from '~/base/outcome.ts';
import { flagCode } from '~/features/catalog/country-answer.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';

/**
 * Where phone numbers are from, by code; `iso2` is null for another passport of the same country. With Türkiye, where
 * some travellers live, whatever their nationality.
 */
const phonePlaces: readonly { code: string; iso2: string | null }[] = [
  ...referenceCountries.map(({ code, iso2 }) => ({ code, iso2 })),
  { code: 'TUR', iso2: 'TR' },
];

const regions = new Map(phonePlaces.map((place) => [place.code, flagCode(place)]));

/**
 * Numbers as plans that have ended wrote them, which live on in address books and messengers, and how they are written
 * now; in E.164.
 */
const outdated: readonly (readonly [RegExp, string])[] = [
  // Mexico, until August 2019: 1 for mobiles from abroad, 01, 044 and 045 within the country.
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  // Benin, until November 2024: eight digits.
  [/^\+229(\d{8})$/, '+22901$1'],
  // Côte d’Ivoire, until January 2021: mobiles of eight digits, whose second digit told the operator.
  [/^\+225([04-9][0-3]\d{6})$/, '+22501$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+225([04-9][7-9]\d{6})$/, '+22507$1'],
  // Argentina: 9 of calls from abroad and 15 of calls within, both in one number.
  [/^\+549(?=\d{12}$)(\d{2,4}?)15(\d{6,8})$/, '+549$1$2'],
];

/** A number, in the form that is dialled today; undefined for what is none. */
function parse(tidy: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  const options = { ...(defaultCountry ? { defaultCountry } : {}), extract: false };
  const number = parsePhoneNumberFromString(tidy, options);
  if (!number || number.isPossible() || number.ext) return number;
  for (const [before, now] of outdated) {
    if (!before.test(number.number)) continue;
    const current = parsePhoneNumberFromString(number.number.replace(before, now));
    if (current?.isValid()) return current;
  }
  return number;
}

/**
 * With a country code a number has to be possible there, no more: number ranges open faster than lists are updated.
 * Without one it has to be a valid number of the nationality's country, or of the one chosen beside it, because a wrong
 * guess would call a stranger. An extension cannot be kept. Returns E.164.
 */
export const readPhone: ReadPhone = (tidy, nationality) => {
  if (tidy.startsWith('+')) {
    const number = parse(tidy);
    return number?.isPossible() && !number.ext ? ok(number.number) : refused('not_possible');
  }
  const region = regions.get(nationality) ?? '';
  if (!isSupportedCountry(region)) return refused('no_country_code');
  const number = parse(tidy, region);
  return number?.isValid() && !number.ext ? ok(number.number) : refused('not_in_country');
};

/** A number with its country code, grouped for reading; unchanged where it cannot be read. */
export function writePhone(typed: string, nationality: string): string {
  const read = readPhone(tidyPhone(typed), nationality);
  const number = read.ok ? parsePhoneNumberFromString(read.value) : undefined;
  return number?.formatInternational() ?? typed;
}

/**
 * Reads the phone number of answers stored before numbers were normalised, so that another notation of it counts as no
 * change.
 */
export function withReadPhone<A extends { phone?: string }>(stored: A, nationality: string): A {
  const read = readPhone(tidyPhone(stored.phone ?? ''), nationality);
  return read.ok ? { ...stored, phone: read.value } : stored;
}

/** The countries of each phone code, the main one first: the United States for +1. */
const countriesByCode: Partial<Record<string, readonly string[]>> = metadata.country_calling_codes;

/** The countries with their phone codes, named and sorted as readers of the language expect. */
export const phoneCodesByLanguage = (language: Language): PhoneCodes =>
  listIn(phonePlaces, language);

const listIn = oncePerLanguage((all: typeof phonePlaces, language: Language): PhoneCodes => {
  const compare = makeComparer(language);
  // Each country once: where a country has several passports, the code of one of them.
  const options = all.flatMap(({ code, iso2 }) => {
    if (iso2 === null || !isSupportedCountry(iso2)) return [];
    const digits = getCountryCallingCode(iso2);
    const isMain = countriesByCode[digits]?.[0] === iso2;
    return [{ id: code, place: placeName(code, language), digits, isMain }];
  });
  return toPhoneCodes(
    options
      .toSorted((a, b) => compare(a.place, b.place))
      // The isolate marks keep the code's order inside Arabic.
      .map(({ id, place, digits, isMain }) => ({
        id,
        name: `${place} (\u2066+${digits}\u2069)`,
        isMain,
      })),
  );
});

/**
 * Adds the country code to a phone number now, while the country chosen beside it is known; without one it is read as a
 * number of `nationality`. Changes nothing where no phone number was asked.
 */
export const withCountryCode = (
  typed: Readonly<Record<string, string>>,
  nationality = '',
): Readonly<Record<string, string>> =>
  typed.phone === undefined
    ? typed
    : { ...typed, phone: writePhone(typed.phone, typed[PHONE_COUNTRY] || nationality) };
