import { factsOf, isLanguage } from '~/base/languages.ts';
import type { AttemptToBegin, RefundToMake } from '../provider.ts';
import type { StripeFields } from './stripe-form.ts';

/**
 * How long a payer may take on Stripe's page, in seconds. Stripe allows 24 hours by its own clock, so that ours may be
 * half an hour ahead.
 */
export const SESSION_SECONDS = 23.5 * 3600;

/**
 * The Checkout Session to create. No name, address, email or phone number is sent: payers enter at Stripe what their
 * card needs. Stripe gets the attempt's id, by which webhooks name it, and the order's number, by which staff find it.
 * Only cards (and the wallets that hold them): what is promised from the moment of payment cannot wait for a transfer.
 */
export const sessionRequest = (attempt: AttemptToBegin, now: Date): StripeFields => ({
  mode: 'payment',
  client_reference_id: attempt.id,
  success_url: attempt.returnUrl,
  cancel_url: attempt.cancelUrl,
  expires_at: Math.floor(now.getTime() / 1000) + SESSION_SECONDS,
  locale: isLanguage(attempt.language) ? factsOf(attempt.language).stripe : 'auto',
  payment_method_types: ['card'],
  // By default the account's setting decides, and a payer who is shown another currency pays in it: no amount of ours.
  adaptive_pricing: { enabled: 'false' },
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: attempt.amount.currency.toLowerCase(),
        unit_amount: attempt.amount.minor,
        product_data: { name: attempt.description },
      },
    },
  ],
  metadata: { order: attempt.reference },
  payment_intent_data: {
    description: attempt.description,
    metadata: { order: attempt.reference },
  },
});

/** A refund of a charge; the metadata is how it is found again after Stripe has dropped the idempotency key. */
export const refundRequest = ({ refundId, attempt, amount }: RefundToMake): StripeFields => ({
  charge: attempt.captureId,
  amount: amount.minor,
  metadata: { refund: refundId },
});
