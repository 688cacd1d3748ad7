import type { Language } from '~/base/languages.ts';
import { translations } from '~/platform/translations.server.ts';
import type { CountryOption } from './search.ts';
import {
  firstResidenceCountries,
  furtherResidenceCountries,
  supportingVisaCountries,
} from './supporting-documents.ts';

/** The name of a nationality in a language; English where the desk added one that has no text yet. */
export function countryName(country: { code: string; name: string }, language: Language): string {
  return translations(language).t(country.code, { ns: 'countries', defaultValue: country.name });
}

/** The name of a place (`GBR` is "United Kingdom", not "British citizen"), `TUR` and `SCHENGEN` included. */
export function placeName(code: string, language: Language): string {
  return translations(language).t(code, { ns: 'countries', context: 'place' });
}

/** Every nationality for a select, named and sorted as readers of the language expect. */
export function countryOptions(
  countries: readonly { code: string; name: string }[],
  language: Language,
): CountryOption[] {
  const options = countries.map((country) => {
    const name = countryName(country, language);
    return { id: country.code, name, ...(name === country.name ? {} : { english: country.name }) };
  });
  return sorted(options, language);
}

/** The issuers of a visa that counts as supporting document, in the order of the specification. */
export function supportingVisaOptions(language: Language): CountryOption[] {
  return supportingVisaCountries.map((id) => ({ id, name: placeName(id, language) }));
}

/** The countries whose residence permit counts: the 20 that are listed first, then the other Schengen states. */
export function residenceOptions(language: Language): {
  first: CountryOption[];
  further: CountryOption[];
} {
  const options = (codes: readonly string[]) =>
    sorted(
      codes.map((id) => ({ id, name: placeName(id, language) })),
      language,
    );
  return {
    first: options(firstResidenceCountries),
    further: options(furtherResidenceCountries),
  };
}

function sorted(options: CountryOption[], language: Language): CountryOption[] {
  const { compare } = new Intl.Collator(language);
  return options.sort((a, b) => compare(a.name, b.name));
}
