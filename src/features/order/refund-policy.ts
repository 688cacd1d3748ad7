import type { RefundCause } from './refund-cause.ts';

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
