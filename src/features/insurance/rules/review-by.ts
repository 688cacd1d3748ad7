import type { Closure } from '~/base/dates/closures.ts';
import { addWorkingHours, calendarWith, wholeMinute } from '~/base/dates/working-hours.ts';

/** Working hours within which a paid application of a traveller under 18 is decided. */
const REVIEW_HOURS = 8;

/**
 * The promised moment of a minor's insurance: `REVIEW_HOURS` after payment, or after the next opening where that was
 * outside working hours. Seconds are dropped, as for a visa. `closures`: as known at the payment.
 */
export const reviewBy = (paidAt: Date, closures: readonly Closure[]): Date =>
  addWorkingHours(wholeMinute(paidAt), REVIEW_HOURS, calendarWith(closures));
