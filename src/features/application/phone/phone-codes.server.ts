import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import { comparerIn } from '~/base/intl.ts';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { toPhoneCodes, type PhoneCodes } from './phone-codes.ts';

/**
 * Each country once: where a country has several passports, the code of one of them; and Türkiye, where some travellers
 * live.
 */
const regions: readonly { code: string; region: string | null }[] = [
  ...referenceCountries.map(({ code, iso2 }) => ({ code, region: iso2 })),
  { code: 'TUR', region: 'TR' },
];

/** The countries with their phone codes, named and sorted as readers of the language expect. */
export const phoneCodesIn = (language: Language): PhoneCodes => listIn(regions, language);

const listIn = oncePerLanguage((all: typeof regions, language: Language): PhoneCodes => {
  const compare = comparerIn(language);
  const options = all.flatMap(({ code, region }) =>
    region !== null && isSupportedCountry(region)
      ? [{ id: code, place: placeName(code, language), digits: getCountryCallingCode(region) }]
      : [],
  );
  return toPhoneCodes(
    options
      .toSorted((a, b) => compare(a.place, b.place))
      // The isolate marks keep the code's order inside Arabic.
      .map(({ id, place, digits }) => ({ id, name: `${place} (\u2066+${digits}\u2069)` })),
  );
});
