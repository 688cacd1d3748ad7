import type { RefundCause } from './refund-cause.ts';

/**
 * What a traveller gets back, as `product.md` reconciles the specification's section 9. Shares are whole percentages.
 * The e-visa fee comes back only for the causes of a full refund. An order keeps the policy of the day it was placed.
 */
export type RefundPolicy = {
  /** The processing price in full: so long after payment, whatever happened meanwhile. */
  fullRefundHours: number;
  /** So much of the processing price, so long after payment, while the application is still pending. */
  pendingShare: number;
  pendingHours: number;
  /** So much of the insurance premium up to so many hours before the cover starts, most first; then nothing. */
  insuranceShares: readonly { share: number; hoursBefore: number }[];
  /** What a traveller asks for of their own accord is asked for within so many days of payment. */
  requestDays: number;
  /** Everything paid comes back, the e-visa fee too. */
  fullRefundCauses: readonly RefundCause[];
  /** The processing price comes back in full: we missed the promised moment, or made a serious mistake. */
  processingRefundCauses: readonly RefundCause[];
  /** The insurance premium comes back in full, with proof. */
  premiumRefundCauses: readonly RefundCause[];
  /** Refused where they are asked for later than `requestDays`. */
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
  // Our own mistakes, and what an authority decides in its own time, are never too late.
  timedCauses: ['cancelled', 'illness', 'disaster'],
} as const satisfies RefundPolicy;

/** Both ends in business days: our review, our transfer, and what banks add to it. */
export const REVIEW_DAYS = { min: 2, max: 3 } as const;
export const TRANSFER_DAYS = { min: 5, max: 10 } as const;
export const BANK_DAYS = { min: 3, max: 5 } as const;
