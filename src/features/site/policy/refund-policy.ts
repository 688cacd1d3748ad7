/**
 * What a traveller gets back, as `product.md` reconciles the specification's section 9. Shares are whole percentages.
 * The e-visa fee comes back only for the causes of a full refund.
 */

/** The processing price in full: so long after payment, whatever happened meanwhile. */
export const FULL_REFUND_HOURS = 1;
/** So much of the processing price, so long after payment, while the application is still pending. */
export const PENDING_SHARE = 80;
export const PENDING_HOURS = 24;

/** So much of the insurance premium up to so many hours before the cover starts, most first; after the last, nothing. */
export const INSURANCE_SHARES = [
  { share: 90, hoursBefore: 48 },
  { share: 70, hoursBefore: 24 },
] as const;

/** A refund is asked for within so many days of payment. */
export const REQUEST_DAYS = 30;
/** Both ends in business days: our review, our transfer, and what banks add to it. */
export const REVIEW_DAYS = { min: 2, max: 3 } as const;
export const TRANSFER_DAYS = { min: 5, max: 10 } as const;
export const BANK_DAYS = { min: 3, max: 5 } as const;

/** Everything paid comes back, the e-visa fee too. */
export const fullRefundCauses = [
  'duplicate_payment',
  'overcharged',
  'not_submitted',
  'not_available',
] as const;
/** The processing price comes back in full: we missed the promised moment, or made a serious mistake. */
export const processingRefundCauses = ['missed_promise', 'our_error'] as const;
/** The insurance premium comes back in full, with proof. */
export const premiumRefundCauses = ['illness', 'visa_refused', 'disaster'] as const;

export type VisaRefundCause =
  | (typeof fullRefundCauses)[number]
  | (typeof processingRefundCauses)[number]
  | 'cancelled';
export type PremiumRefundCause = (typeof premiumRefundCauses)[number] | 'cancelled';

/** Percentages of the two parts of a visa's price. */
export type VisaShares = { evisaFee: 0 | 100; processing: 0 | typeof PENDING_SHARE | 100 };

const HOUR = 3_600_000;
const has = (causes: readonly string[], cause: string) => causes.includes(cause);

/** `askedAt` is when the cancellation reached us; `pending`: nothing was handed to the authorities by then. */
export function visaShares(
  cause: VisaRefundCause,
  { paidAt, askedAt, pending }: { paidAt: Date; askedAt: Date; pending: boolean },
): VisaShares {
  if (has(fullRefundCauses, cause)) return { evisaFee: 100, processing: 100 };
  if (has(processingRefundCauses, cause)) return { evisaFee: 0, processing: 100 };
  const hours = (askedAt.getTime() - paidAt.getTime()) / HOUR;
  if (hours <= FULL_REFUND_HOURS) return { evisaFee: 0, processing: 100 };
  return { evisaFee: 0, processing: pending && hours <= PENDING_HOURS ? PENDING_SHARE : 0 };
}

/** Percentage of the premium. `startsAt`: the first moment of the cover. */
export function premiumShare(
  cause: PremiumRefundCause,
  { startsAt, askedAt }: { startsAt: Date; askedAt: Date },
): number {
  if (has(premiumRefundCauses, cause)) return 100;
  const hours = (startsAt.getTime() - askedAt.getTime()) / HOUR;
  return INSURANCE_SHARES.find(({ hoursBefore }) => hours >= hoursBefore)?.share ?? 0;
}
