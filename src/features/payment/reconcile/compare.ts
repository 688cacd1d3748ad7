import { sameMoney, type Money } from '~/base/money.ts';
import type { Books } from '../provider.ts';
import type { ProviderName } from '~/base/payment-providers.ts';

/**
 * How two books can differ about one attempt. `missing_there`: the provider does not know our capture. `missing_here`:
 * we do not know the provider's capture. `capture_id`: both have a capture, with different ids.
 */
const differences = [
  'missing_there',
  'missing_here',
  'amount',
  'capture_id',
  'refund_amount',
  'no_answer',
] as const;
export type ReconciliationDifference = (typeof differences)[number];

/** Our ledger's figures of one attempt. */
export type Ledger = {
  captured: Money | null;
  captureId: string | null;
  /** Completed refunds. */
  refunded: Money;
  /** Refunds being made: the provider may have booked them or not. */
  refunding: Money;
};

export type ProviderBooks = Books | 'unknown' | 'no_answer';

/** Every difference between our ledger and a provider's books; empty where they agree. */
export function compare(ours: Ledger, theirs: ProviderBooks): ReconciliationDifference[] {
  if (theirs === 'no_answer') return ['no_answer'];
  if (theirs === 'unknown') return ours.captured ? ['missing_there'] : [];
  // A capture whose amount cannot be read (another currency) still is a capture.
  const tookMoney = theirs.captured !== null || theirs.captureId !== null;
  if (!ours.captured) return tookMoney ? ['missing_here'] : [];
  if (!tookMoney) return ['missing_there'];
  const found: ReconciliationDifference[] = [];
  if (!theirs.captured || !sameMoney(ours.captured, theirs.captured)) found.push('amount');
  const bothNamed = ours.captureId !== null && theirs.captureId !== null;
  if (bothNamed && ours.captureId !== theirs.captureId) found.push('capture_id');
  const most = ours.refunded.minor + ours.refunding.minor;
  const { minor } = theirs.refunded;
  if (minor < ours.refunded.minor || minor > most) found.push('refund_amount');
  return found;
}

export const sameLedger = (a: Ledger, b: Ledger): boolean =>
  a.captured?.minor === b.captured?.minor &&
  a.captureId === b.captureId &&
  a.refunded.minor === b.refunded.minor &&
  a.refunding.minor === b.refunding.minor;

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
