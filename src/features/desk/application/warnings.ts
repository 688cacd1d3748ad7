import { addDays, addMonths, dateOf, parseDate, TURKIYE } from '~/base/dates/dates.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import type { Detail } from './detail.server.ts';

type Warning = 'arrivesToday' | 'arrivesTomorrow' | 'arrivalPassed' | 'passportShort';

/** Warnings about an open application. Days are those of Türkiye. */
export function warningsOf(application: Detail, now: number): Warning[] {
  const arrival = parseDate(application.startsOn);
  if (application.decidedAt || application.kind !== 'visa' || !arrival) return [];
  const today = dateOf(new Date(now), TURKIYE);
  const expiry = parseDate(application.visa?.passportExpiryDate ?? '');
  const found: Warning[] = [];
  if (arrival < today) found.push('arrivalPassed');
  if (arrival === today) found.push('arrivesToday');
  if (arrival === addDays(today, 1)) found.push('arrivesTomorrow');
  if (expiry && expiry < addMonths(arrival, PASSPORT_MONTHS)) found.push('passportShort');
  return found;
}
