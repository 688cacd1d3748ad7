import { z } from 'zod';
import { add, usd, type Money } from '~/base/money.ts';
import type { ProviderRefundEvent, RefundMade, RefundState } from '../provider.ts';
import { amountFacts, readAmount } from './stripe-session.ts';

const metadata = z.record(z.string(), z.string()).nullish();

export const stripeRefund = z.object({
  id: z.string().min(1).max(200),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  /** The charge's id, or the charge where it was expanded. */
  charge: z.union([z.string(), z.object({ id: z.string(), metadata })]).nullish(),
  metadata,
});
export type StripeRefund = z.infer<typeof stripeRefund>;

export const stripeRefunds = z.object({ data: z.array(stripeRefund), has_more: z.boolean() });

/** `requires_action`: Stripe waits for the payer to say where the money goes. */
const states: Record<string, RefundState> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

export const refundState = ({ status }: StripeRefund): RefundState =>
  states[status ?? 'pending'] ?? 'pending';

export const refundMade = (refund: StripeRefund): RefundMade => ({
  providerRefundId: refund.id,
  state: refundState(refund),
});

/** Our id of a refund; null where it was made at Stripe directly. */
export const ourRefundId = ({ metadata }: StripeRefund): string | null => metadata?.refund ?? null;

/** What went back: refunds that failed have given nothing, those that wait have not yet. */
export const refundedOf = (refunds: readonly StripeRefund[]): Money =>
  add(
    ...refunds
      .filter((refund) => refundState(refund) === 'completed')
      .map(({ amount, currency }) => readAmount(amount, currency) ?? usd(0)),
  );

export function refundEventOf(refund: StripeRefund): ProviderRefundEvent {
  const { id, amount, currency, charge } = refund;
  const status = refund.status ?? 'pending';
  return {
    eventId: `refund:${id}:${status}`,
    providerRefundId: id,
    refundId: ourRefundId(refund),
    captureId: typeof charge === 'object' ? (charge?.id ?? null) : (charge ?? null),
    state: refundState(refund),
    amount: readAmount(amount, currency),
    payload: { status, refundId: id, ...amountFacts(amount, currency) },
  };
}
