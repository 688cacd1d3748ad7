import { languages } from '~/base/languages.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { searchText } from '~/features/catalog/picker/search-text.ts';
import type { Problem } from '../rules/check.ts';
import { DESTINATION } from '../rules/answers.ts';

/** Türkiye under all its names. */
const names = new Set(
  [DESTINATION, 'TUR', ...languages.map(({ code }) => placeName('TUR', code))].map(searchText),
);

/** The problem of a destination in a call: every insurance is for Türkiye, which needs not be named. */
export function destinationProblems(destination: unknown): Problem[] {
  const isLeftOut = destination === undefined || destination === null || destination === '';
  const isTürkiye = typeof destination === 'string' && names.has(searchText(destination));
  return isLeftOut || isTürkiye ? [] : [{ field: 'destination', code: 'not_turkiye' }];
}
