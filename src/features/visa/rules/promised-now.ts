import type { Closure } from '~/base/dates/closures.ts';
import { pathOf, type Answers, type CountryTerms } from './answers.ts';
import { readyBy } from './ready-by.ts';
import { isSoldOn } from './speeds.ts';

/** The moment that is promised if it is paid now; null while no speed is chosen. Not for the first step: it weighs. */
export function promisedNow(
  { processingType = '' }: Answers,
  country: CountryTerms | null,
  now: Date,
  closures: readonly Closure[],
): Date | null {
  const path = pathOf(country);
  return path && isSoldOn(path, processingType)
    ? readyBy(path, processingType, now, closures)
    : null;
}
