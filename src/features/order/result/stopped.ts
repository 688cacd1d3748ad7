import type { CodeIn } from '~/base/text-keys.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { PaymentState } from '~/features/payment/machine.ts';

/**
 * Why there is no payment, one variant of `/payment-cancel` each. `issue`: it could not be started. `unfinished`: the
 * traveller came back without a result. `changed`: the order has another amount by now; a payment of the old one is being
 * refunded (`refunding`) or was (`refunded`). `error`: nothing is known. `nothing`: no payment was named.
 */
export type StoppedKind =
  | 'cancelled'
  | 'declined'
  | 'failed'
  | 'expired'
  | 'unfinished'
  | 'issue'
  | 'changed'
  | 'refunding'
  | 'refunded'
  | 'error'
  | 'nothing';

/**
 * Reasons by which a card or account is declined, with the key of their text: those of the card gateway, Stripe and
 * PayPal, in lower case. https://docs.stripe.com/declines/codes
 */
const declines = new Map<string, CodeIn<'payment', 'reason'>>([
  ['card_declined', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired_card'],
  ['authentication_failed', 'authentication_failed'],
  ['generic_decline', 'card_declined'],
  ['do_not_honor', 'card_declined'],
  ['lost_card', 'card_declined'],
  ['stolen_card', 'card_declined'],
  ['fraudulent', 'card_declined'],
  ['authentication_required', 'authentication_failed'],
  ['payment_intent_authentication_failure', 'authentication_failed'],
  ['paypal_declined', 'paypal_declined'],
  ['transaction_refused', 'paypal_declined'],
  ['declined_by_risk_fraud_filters', 'paypal_declined'],
  ['declined_due_to_related_txn', 'paypal_declined'],
  ['compliance_violation', 'paypal_declined'],
  ['transaction_blocked_by_payee', 'paypal_declined'],
  ['payee_blocked_transaction', 'paypal_declined'],
  ['domestic_transaction_required', 'paypal_declined'],
  ['instrument_declined', 'instrument_declined'],
  ['redirect_payer_for_alternate_funding', 'instrument_declined'],
  ['payer_cannot_pay', 'payer_account'],
  ['payer_account_restricted', 'payer_account'],
  ['payer_account_locked_or_closed', 'payer_account'],
  ['transaction_limit_exceeded', 'paypal_limit'],
  ['max_number_of_payment_attempts_exceeded', 'paypal_limit'],
]);
/** Other reasons with a text of their own; for all others the page shows a general one. */
const explained = ['processing_error', 'cancelled_by_payer', 'expired'] as const;

export function stoppedKind(
  attempt: { state: PaymentState; reason: string | null; supersededAt: Date | null } | null,
  isStartFailed: boolean,
): StoppedKind {
  if (attempt?.supersededAt) {
    if (attempt.state === 'captured_late') return 'refunding';
    return attempt.state === 'refunded' ? 'refunded' : 'changed';
  }
  if (attempt?.state === 'cancelled') return 'cancelled';
  if (attempt?.state === 'expired') return 'expired';
  if (isStartFailed && (!attempt || attempt.state === 'created')) return 'issue';
  if (attempt?.reason === 'start_refused') return 'issue';
  if (attempt?.state === 'failed') {
    return declines.has(attempt.reason ?? '') ? 'declined' : 'failed';
  }
  return 'unfinished';
}

/** The key of the text for a provider's reason, a code in lower case. */
export function reasonKey(reason: string | null): CodeIn<'payment', 'reason'> {
  if (reason === null) return 'other';
  return declines.get(reason) ?? explained.find((one) => one === reason) ?? 'other';
}

/** How to pay again: at which provider, and which other one there is. */
export type RetryOption = {
  orderNumber: string;
  tried: ProviderName;
  /** Whether retries are counted here, as they are for the first provider. */
  isCounted: boolean;
  /** Used retries, of three. */
  retries: number;
  other: ProviderName | null;
  /** Payments at the tried provider fail in general, so the other one is offered first. */
  isDown: boolean;
};
