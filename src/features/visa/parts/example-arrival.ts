import { addDays, toPlainDate, formatDate, TURKIYE } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';

/** A date in three weeks, as an example of how to type an arrival. */
export const exampleArrival = (now: Date, language: Language): string =>
  formatDate(addDays(toPlainDate(now, TURKIYE), 21), language);
