import type { RefundCause, RefundReason } from '../refund-cause.ts';

/** Of a cancellation, a traveller wants to know which of its terms counted; of all else, what had happened. */
const terms = ['within_first_hours', 'still_pending', 'before_cover'] as const;

export type CreditReason = RefundCause | (typeof terms)[number];

/** Why a line goes back, as the traveller is told; words: `receipt:reason.<code>`. */
export function creditReason(cause: RefundCause, reason: RefundReason): CreditReason {
  return terms.find((term) => term === reason) ?? cause;
}
