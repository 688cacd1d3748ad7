import type { ProviderName } from '~/features/payment/provider.ts';
import type { PaymentState } from '~/features/payment/machine.ts';

/**
 * Why there is no payment: the screen of `/payment-cancel` that fits. issue: it could not even be started. unfinished:
 * the traveller came back without an answer. error: nothing is known about it.
 */
export type StoppedKind =
  | 'cancelled'
  | 'declined'
  | 'failed'
  | 'expired'
  | 'unfinished'
  | 'issue'
  | 'error';

const declines = ['card_declined', 'insufficient_funds', 'expired_card', 'authentication_failed'];
/** Reasons that have words of their own; for any other the page speaks in general. */
const explained = [...declines, 'processing_error', 'cancelled_by_payer', 'expired'];

export function stoppedKind(
  attempt: { state: PaymentState; reason: string | null } | null,
  isStartFailed: boolean,
): StoppedKind {
  if (attempt?.state === 'cancelled') return 'cancelled';
  if (attempt?.state === 'expired') return 'expired';
  if (isStartFailed && (!attempt || attempt.state === 'created')) return 'issue';
  if (attempt?.reason === 'start_refused') return 'issue';
  if (attempt?.state === 'failed') {
    return declines.includes(attempt.reason ?? '') ? 'declined' : 'failed';
  }
  return 'unfinished';
}

/** The key of the words for a provider's reason. */
export const reasonKey = (reason: string | null): string =>
  reason !== null && explained.includes(reason) ? reason : 'other';

/** What can be done about it: at which provider it is tried again, and what else there is. */
export type WayOn = {
  orderNumber: string;
  tried: ProviderName;
  /** Whether the retries of a start that failed are counted here: those of the first provider are. */
  isCounted: boolean;
  /** How many of the three are used. */
  retries: number;
  other: ProviderName | null;
};
