import { makeComparer } from '~/base/intl.ts';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { CountryOption } from './picker/search.ts';
import {
  firstResidenceCountries,
  furtherResidenceCountries,
  supportingVisaCountries,
} from './supporting-documents.ts';

/** The name of a nationality in a language; English for one that has no translation, because the desk added it. */
export function countryName(country: { code: string; name: string }, language: Language): string {
  return makeTranslate(language, 'countries')(country.code, country.name);
}

/** The name of a place (`GBR` is "United Kingdom", not "British citizen"), `TUR` and `SCHENGEN` included. */
export function placeName(code: string, language: Language): string {
  return makeTranslate(language, 'countries')([`${code}_place`, code], code);
}

/**
 * Every nationality for a select, named and sorted as readers of the language expect; made once for one list of
 * countries.
 */
export const countryOptions = oncePerLanguage(
  (
    countries: readonly { code: string; name: string }[],
    language: Language,
  ): readonly CountryOption[] => {
    const options = countries.map((country) => {
      const { code: id, name: english } = country;
      const name = countryName(country, language);
      return { id, name, ...(name === english ? {} : { english }) };
    });
    return sorted(options, language);
  },
);

/** The issuers of a visa that counts as supporting document, in the order of the specification. */
export const supportingVisaOptions = (language: Language): readonly CountryOption[] =>
  places(supportingVisaCountries, language);

const places = oncePerLanguage(
  (codes: readonly string[], language: Language): readonly CountryOption[] =>
    codes.map((id) => ({ id, name: placeName(id, language) })),
);

/** The countries whose residence permit counts: the 20 listed first, then the other Schengen states. */
export function residenceOptions(language: Language): {
  first: readonly CountryOption[];
  further: readonly CountryOption[];
} {
  return {
    first: sortedPlaces(firstResidenceCountries, language),
    further: sortedPlaces(furtherResidenceCountries, language),
  };
}

const sortedPlaces = oncePerLanguage((codes: readonly string[], language: Language) =>
  sorted(places(codes, language), language),
);

function sorted(options: readonly CountryOption[], language: Language): readonly CountryOption[] {
  const compare = makeComparer(language);
  return options.toSorted((a, b) => compare(a.name, b.name));
}
