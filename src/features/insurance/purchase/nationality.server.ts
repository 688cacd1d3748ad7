import { languages } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { searchText, withoutSentenceArticle } from '~/features/catalog/picker/search.ts';
import { synonyms } from '~/features/catalog/picker/synonyms.ts';

/**
 * The code of a nationality given by its three letters or by its name in any of our languages ("MEX", "Mexico",
 * "Méjico"); null for others. Names must be complete.
 */
export function nationalityNamed(countries: readonly Country[], text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countries.some((country) => country.code === code)) return code;
  const typed = searchText(text);
  if (typed === '') return null;
  const named = (wanted: string) =>
    countries.find(
      (country) =>
        languages.some((language) => searchText(countryName(country, language.code)) === wanted) ||
        (synonyms[country.code] ?? []).some((synonym) => searchText(synonym) === wanted),
    );
  return (named(typed) ?? named(withoutSentenceArticle(typed)))?.code ?? null;
}
