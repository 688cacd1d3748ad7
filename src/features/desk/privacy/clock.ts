import { addDays, addMonths, daysBetween, type PlainDate } from '~/base/dates/dates.ts';
import { KVKK_REPLY_DAYS } from '~/features/site/retention.ts';
import type { Law } from './privacy-case.ts';

/** GDPR, art. 12(3): a month from receipt, and two further months where requests are complex or many. */
export const GDPR_MONTHS = 1;
export const GDPR_EXTENDED_MONTHS = 3;

/** Days before the last one from which a request counts as urgent. */
export const URGENT_DAYS = 7;

/**
 * The last day to answer a request that arrived on a day: thirty days (Law No. 6698, art. 13) or a month (GDPR, art.
 * 12(3)), whichever is over first, as both laws may bind us; in February that is the month.
 */
export function dueOn(arrivedOn: PlainDate, isExtended: boolean): PlainDate {
  if (isExtended) return addMonths(arrivedOn, GDPR_EXTENDED_MONTHS);
  const days = addDays(arrivedOn, KVKK_REPLY_DAYS);
  const month = addMonths(arrivedOn, GDPR_MONTHS);
  return days < month ? days : month;
}

/** Days until the last one to answer: 0 on it, negative once it is over. */
export const daysLeft = (arrivedOn: PlainDate, isExtended: boolean, today: PlainDate): number =>
  daysBetween(today, dueOn(arrivedOn, isExtended));

/**
 * Whether the time to answer may be extended: by the GDPR alone (the Turkish law knows no extension), once, and told to
 * the person before the first month is over.
 */
export const mayExtend = (
  { law, arrivedOn, isExtended }: { law: Law; arrivedOn: PlainDate; isExtended: boolean },
  today: PlainDate,
): boolean => law === 'gdpr' && !isExtended && today <= dueOn(arrivedOn, false);
