import type { Office } from '~/base/dates/office.ts';
import { pathOf, type Answers, type CountryTerms } from './answers.ts';
import { readyBy } from './ready-by.ts';
import { isSoldOn } from './speeds.ts';

/**
 * The promised moment if it is paid now; null while no speed is chosen. Not used on the first step, whose scripts would
 * grow by the working hours and holidays.
 */
export function promisedNow(
  answers: Answers,
  country: CountryTerms | null,
  now: Date,
  office: Office,
): Date | null {
  const { processingType = '' } = answers;
  const path = pathOf(country, answers);
  return path && isSoldOn(path, processingType) ? readyBy(path, processingType, now, office) : null;
}
