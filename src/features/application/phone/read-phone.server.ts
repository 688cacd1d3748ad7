import { parsePhoneNumberFromString, isSupportedCountry } from 'libphonenumber-js/max';
import { ok, refused } from '~/base/outcome.ts';
import { flagCode } from '~/features/catalog/flag-emoji.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { tidyPhone, type ReadPhone } from './phone.ts';

/**
 * Where phone numbers are from, by code; `iso2` is null for another passport of the same country. With Türkiye, where
 * some travellers live, whatever their nationality.
 */
export const phonePlaces: readonly { code: string; iso2: string | null }[] = [
  ...referenceCountries.map(({ code, iso2 }) => ({ code, iso2 })),
  { code: 'TUR', iso2: 'TR' },
];

const regions = new Map(phonePlaces.map((place) => [place.code, flagCode(place)]));

/**
 * With a country code a number has to be possible there, no more: number ranges open faster than lists are updated.
 * Without one it has to be a valid number of the nationality's country, or of the one chosen beside it, because a wrong
 * guess would call a stranger. An extension cannot be kept. Returns E.164.
 */
export const readPhone: ReadPhone = (tidy, nationality) => {
  if (tidy.startsWith('+')) {
    const number = parsePhoneNumberFromString(tidy, { extract: false });
    return number?.isPossible() && !number.ext ? ok(number.number) : refused('not_possible');
  }
  const region = regions.get(nationality) ?? '';
  if (!isSupportedCountry(region)) return refused('no_country_code');
  const number = parsePhoneNumberFromString(tidy, { defaultCountry: region, extract: false });
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
