/**
 * Why money is refunded, as staff choose it; texts: `refund:cause.<code>`. `insurance_rejected` is also set
 * automatically when staff reject an insurance.
 */
export const staffRefundCauses = [
  'cancelled',
  'missed_promise',
  'our_error',
  'duplicate_payment',
  'overcharged',
  'not_submitted',
  'not_available',
  'insurance_rejected',
  'visa_refused',
  'illness',
  'disaster',
] as const;

/**
 * All causes. `rejected_by_us` is set automatically alone: our team rejected a visa that had not been handed to the
 * authorities.
 */
export const refundCauses = [...staffRefundCauses, 'rejected_by_us'] as const;
export type RefundCause = (typeof refundCauses)[number];

/** Whether a refund for this cause also ends the insurance that it refunds. */
export const endsCover = (cause: RefundCause): boolean =>
  cause !== 'overcharged' && cause !== 'our_error' && cause !== 'missed_promise';

/**
 * Why a line is refunded to its extent; texts: `refund:reason.<code>`. `adjusted`: staff chose another amount than the
 * policy's. The last five refund nothing.
 */
export const refundReasons = [
  'everything_back',
  'processing_back',
  'premium_back',
  'promise_missed',
  'within_first_hours',
  'still_pending',
  'before_cover',
  'adjusted',
  'fee_kept',
  'too_late',
  'asked_too_late',
  'not_covered',
  'not_missed',
] as const;
export type RefundReason = (typeof refundReasons)[number];
