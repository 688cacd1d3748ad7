import { languages, type Language } from '~/base/languages.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { searchText } from '~/features/catalog/picker/search-text.ts';
import { DEFAULT_DESTINATION } from '../rules/answers.ts';

const TURKIYE = 'TUR';

/** Türkiye under all its names, which most travellers enter as their destination. */
const names = new Set(
  [DEFAULT_DESTINATION, 'Türkiye', ...languages.map(({ code }) => placeName(TURKIYE, code))].map(
    searchText,
  ),
);

/** The destination as it is stored: Türkiye under one name, anything else as typed. */
export const storedDestination = (typed: string): string =>
  names.has(searchText(typed)) ? DEFAULT_DESTINATION : typed.trim();

/** The destination in a reader's language. */
export const destinationIn = (kept: string, language: Language): string =>
  kept === DEFAULT_DESTINATION ? placeName(TURKIYE, language) : kept;

/** The default in the form: Türkiye in the form's language (in English the specification's word). */
export function shownDestination(typed: string | undefined, language: Language): string {
  if (typed !== undefined && !names.has(searchText(typed))) return typed;
  return language === 'en' ? DEFAULT_DESTINATION : placeName(TURKIYE, language);
}
