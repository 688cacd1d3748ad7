import { addDays, dateOf, formatDate, TURKIYE } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';

/** An arrival in three weeks, as an example of how a date is typed: it never runs out. */
export const exampleArrival = (now: Date, language: Language): string =>
  formatDate(addDays(dateOf(now, TURKIYE), 21), language);
