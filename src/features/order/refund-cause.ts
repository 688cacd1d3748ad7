/**
 * Why money goes back, as staff choose it; words: `refund:cause.<code>`. `insurance_rejected` is also what the
 * service itself gives when staff reject an insurance.
 */
export const refundCauses = [
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
export type RefundCause = (typeof refundCauses)[number];

/** With the money goes what it bought: an insurance that is paid back for one of these covers nobody any more. */
export const endsCover = (cause: RefundCause): boolean =>
  cause !== 'overcharged' && cause !== 'our_error' && cause !== 'missed_promise';

/**
 * Why a line goes back as far as it does; words: `refund:reason.<code>`. adjusted: staff chose another amount than
 * the policy's. The last five give nothing.
 */
export const refundReasons = [
  'everything_back',
  'processing_back',
  'premium_back',
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
