import type { Office } from '~/base/dates/office.ts';
import { addWorkingHours, wholeMinute } from '~/base/dates/working-hours.ts';

/** Working hours within which a paid application of a traveller under 18 is decided. */
const REVIEW_HOURS = 8;

/**
 * The promised moment of a minor's insurance: `REVIEW_HOURS` after payment, or after the next opening where that was
 * outside working hours. Seconds are dropped, as for a visa. `office`: as known at the payment.
 */
export const reviewBy = (paidAt: Date, office: Office): Date =>
  addWorkingHours(wholeMinute(paidAt), REVIEW_HOURS, office);
