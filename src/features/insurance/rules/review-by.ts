import type { Closure } from '~/base/dates/closures.ts';
import { addWorkingHours, calendarWith, wholeMinute } from '~/base/dates/working-hours.ts';

/** Open hours that a reviewer has for a paid application of a traveller under 18. */
export const REVIEW_HOURS = 8;

/**
 * The promised moment of a minor's insurance: so many working hours after payment, or after the next opening where that was
 * outside working hours. Seconds are dropped, as from a visa's moment. `closures`: as known
 * at the payment.
 */
export const reviewBy = (paidAt: Date, closures: readonly Closure[]): Date =>
  addWorkingHours(wholeMinute(paidAt), REVIEW_HOURS, calendarWith(closures));
