import type { ProviderName } from '~/base/payment-providers.ts';

/**
 * What each provider tells us of its own books beyond captures and refunds. The card gateway's protocol has no such
 * messages; PayPal names its fee with each payment, and its payouts and disputes only in reports that we do not read.
 */
export const partnerReports: Readonly<
  Record<ProviderName, { fees: boolean; payouts: boolean; disputes: boolean }>
> = {
  card: { fees: false, payouts: false, disputes: false },
  paypal: { fees: true, payouts: false, disputes: false },
  stripe: { fees: true, payouts: true, disputes: true },
};
