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

/**
 * What a traveller gets back: rules of the customer's specification, as decided where its pages differ. Shares are whole
 * percentages. The e-visa fee is refunded only for the causes of a full refund. An order keeps the policy of the day it
 * was placed.
 */
export type RefundPolicy = {
  /** Hours after payment within which the processing price is refunded in full, whatever happened meanwhile. */
  fullRefundHours: number;
  /** The share of the processing price refunded within these hours after payment, while the application is pending. */
  pendingShare: number;
  pendingHours: number;
  /**
   * The share of the insurance premium refunded up to these hours before the cover starts, largest first; then nothing.
   */
  insuranceShares: readonly { share: number; hoursBefore: number }[];
  /**
   * Days after payment, for an insurance after the start of its cover where that is later, within which the causes in
   * `timedCauses` must be asked for.
   */
  requestDays: number;
  /** Everything is refunded, the e-visa fee too. */
  fullRefundCauses: readonly RefundCause[];
  /** The processing price is refunded in full: we missed the promised moment, or made a serious mistake. */
  processingRefundCauses: readonly RefundCause[];
  /** The insurance premium is refunded in full, with proof. */
  premiumRefundCauses: readonly RefundCause[];
  /** Refused when asked for later than `requestDays`. */
  timedCauses: readonly RefundCause[];
};

export const refundPolicy = {
  fullRefundHours: 1,
  pendingShare: 80,
  pendingHours: 24,
  insuranceShares: [
    { share: 90, hoursBefore: 48 },
    { share: 70, hoursBefore: 24 },
  ],
  requestDays: 30,
  fullRefundCauses: ['duplicate_payment', 'overcharged', 'not_submitted', 'not_available'],
  processingRefundCauses: ['missed_promise', 'our_error'],
  premiumRefundCauses: ['illness', 'visa_refused', 'disaster', 'insurance_rejected'],
  // Our own mistakes and late decisions of authorities have no time limit.
  timedCauses: ['cancelled', 'illness', 'disaster'],
} as const satisfies RefundPolicy;

/** In business days: our review, and our transfer with what banks add. */
export const REVIEW_DAYS = { min: 2, max: 3 } as const;
export const TRANSFER_DAYS = { min: 5, max: 10 } as const;
export const BANK_DAYS = { min: 3, max: 5 } as const;
