import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import { comparerIn } from '~/base/intl.ts';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { toPhoneCodes, type PhoneCodes } from './phone-codes.ts';
import { phonePlaces } from './read-phone.server.ts';

/** The countries of each phone code, the main one first: the United States for +1. */
const countriesByCode: Partial<Record<string, readonly string[]>> = metadata.country_calling_codes;

/** The countries with their phone codes, named and sorted as readers of the language expect. */
export const phoneCodesIn = (language: Language): PhoneCodes => listIn(phonePlaces, language);

const listIn = oncePerLanguage((all: typeof phonePlaces, language: Language): PhoneCodes => {
  const compare = comparerIn(language);
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
