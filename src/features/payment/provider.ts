import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { PaymentEvent } from './machine.ts';

/** What a provider is told about one attempt. Names and addresses are passed on, not stored here. */
export type AttemptToBegin = {
  id: string;
  /** What is paid: an order's number. */
  reference: string;
  amount: Money;
  description: string;
  language: string;
  /** Our own addresses for the payer's browser; each contains the attempt in a signed token. */
  returnUrl: string;
  cancelUrl: string;
  customer: {
    /** Empty for a guest who gave none: the payer's name is not passed on. */
    name: string;
    email: string;
    address: string;
    street?: string | undefined;
    city?: string | undefined;
    country?: string | undefined;
    zipCode?: string | undefined;
    phone?: string | undefined;
  };
};

/** Where the browser goes next: a link, or a form that the redirect page submits. */
export type CheckoutRedirect =
  | { kind: 'link'; url: string }
  | { kind: 'form'; url: string; fields: Record<string, string> };

export type BegunPayment = { providerReference: string | null; checkoutRedirect: CheckoutRedirect };

/**
 * `refused`: the provider refused and made nothing. `no_answer`: a timeout, a 5xx or an invalid response; a payment may
 * exist there, so the attempt stays open until the provider was asked.
 */
type BeginError = { code: 'refused' | 'no_answer'; message: string };

/** A provider's verified event about one attempt. */
export type ProviderEvent = {
  /** Unique at the provider; a repeated delivery has the same id. */
  eventId: string;
  attemptId: string;
  event: PaymentEvent;
  amount: Money | null;
  providerReference: string | null;
  captureId: string | null;
  reason: string | null;
  /** What is stored of the provider's message: no personal data, no card data but the last four digits. */
  payload: Record<string, string | number | null>;
};

/** `nothing`: the provider knows the attempt and it is undecided. `unknown`: it does not know it. */
export type ProviderAnswer = ProviderEvent | 'nothing' | 'unknown' | 'no_answer';

/** How a provider knows an attempt: by our id, and by its own once it has begun. */
export type AttemptAsked = { id: string; providerReference: string | null };

/** A provider's verified event about a refund. */
export type ProviderRefundEvent = {
  eventId: string;
  providerRefundId: string;
  /** Our id; null where the refund was made at the provider directly. */
  refundId: string | null;
  captureId: string | null;
  state: RefundState;
  amount: Money | null;
  payload: ProviderEvent['payload'];
};

export type RefundState = 'pending' | 'completed' | 'failed';

/** A provider's verified word about a dispute: the payer's bank asks for a capture's money back. */
export type ProviderDispute = {
  disputeId: string;
  captureId: string;
  /** The provider's own words for where it stands and why it was opened. */
  status: string;
  reason: string | null;
  /** What is disputed; null in a currency that is not ours. */
  amount: Money | null;
};

/**
 * What a notification is. `ask`: genuine and about this attempt, but without a result of its own. `unavailable`: it
 * could not be verified now and must be delivered again.
 */
export type ProviderNotification =
  | { kind: 'payment'; event: ProviderEvent }
  /** Several where a notification names a capture and not one of its refunds. */
  | { kind: 'refunds'; events: readonly ProviderRefundEvent[] }
  | { kind: 'dispute'; dispute: ProviderDispute }
  | { kind: 'ask'; attemptId: string }
  | { kind: 'irrelevant' | 'unverified' | 'unavailable' };

/**
 * A notification as received: signatures cover the exact bytes. `mayFetch`: whether its sender may make us ask the
 * provider's servers once more in order to check it; asked only where nothing that is kept will do.
 */
export type RawNotification = { headers: Headers; body: Buffer; mayFetch: () => Promise<boolean> };

export type RefundError = { code: 'refused' | 'no_answer'; message: string };

export type RefundToMake = {
  refundId: string;
  attempt: AttemptAsked & { captureId: string };
  amount: Money;
};

export type RefundMade = { providerRefundId: string; state: RefundState };

/** What a provider's books say about one attempt, for reconciliation. */
export type Books = {
  captured: Money | null;
  captureId: string | null;
  refunded: Money;
  /** Its captures and refunds with their fees, where the provider's books of one payment have them. */
  movements?: readonly Movement[];
};

/**
 * `dispute`: taken for a payer's bank, or given back by it. `payout`: sent to our bank account, or come back from it.
 * `fee`: charged for the account, not for a payment.
 */
export const movementKinds = ['capture', 'refund', 'dispute', 'payout', 'fee'] as const;
export type MovementKind = (typeof movementKinds)[number];

/** A movement of money for us in a provider's own books. */
export type Movement = {
  /** Unique at the provider. */
  id: string;
  kind: MovementKind;
  at: Date;
  /** The capture that it is about; null for a payout and for an account's fee. */
  captureId: string | null;
  /** The provider's id of the refund. */
  refundId: string | null;
  /** What our balance there got by it before the fee, below zero where it gave; null in a currency that is not ours. */
  amount: Money | null;
  /** What the provider keeps of it; null in a currency that is not ours. */
  fee: Money | null;
};

/** A payment provider. One implementation per file in `providers/`; one contract suite runs against all. */
export type Provider = {
  name: ProviderName;
  /** Idempotent by the attempt's id. */
  begin(attempt: AttemptToBegin): Promise<Outcome<BegunPayment, BeginError>>;
  /**
   * What the provider knows about an attempt, verified. `mayCapture`: captures money that the payer has approved;
   * without it, asking changes nothing.
   */
  ask(attempt: AttemptAsked, options: { mayCapture: boolean }): Promise<ProviderAnswer>;
  /**
   * Reads the query of a returning browser; null where it is not verifiably the provider's, so that the provider must
   * be asked.
   */
  readReturn(query: URLSearchParams): ProviderEvent | null;
  readNotification(raw: RawNotification): Promise<ProviderNotification>;
  /** Idempotent by `refundId`: a repetition returns the refund's state. */
  refund(refund: RefundToMake): Promise<Outcome<RefundMade, RefundError>>;
  /** The state of a refund that was asked for; `unknown`: the provider does not know it. */
  askRefund(
    refund: RefundToMake & { providerRefundId: string | null },
  ): Promise<RefundMade | 'unknown' | 'no_answer'>;
  /**
   * Closes an attempt's payment page, so that nobody pays there any more; one that is paid or over stays as it is. Absent
   * where a provider cannot, or captures only by a call of ours.
   */
  closePage?(attempt: AttemptAsked): Promise<'closed' | 'no_answer'>;
  books(attempt: AttemptAsked): Promise<Books | 'unknown' | 'no_answer'>;
  /**
   * Every movement that the provider booked for us from a moment on and before another: what it charged, and captures
   * that we know nothing of. Absent where a provider can only be asked about one payment at a time.
   */
  movements?(span: { from: Date; to: Date }): Promise<readonly Movement[] | 'no_answer'>;
};

/** The configured providers, in the order in which they are offered. */
export type Providers = readonly Provider[];

export function providerNamed(providers: Providers, name: string): Provider | null {
  return providers.find((provider) => provider.name === name) ?? null;
}

/** A provider could not be asked about our account, and why: the code of an error, a status, or the call that failed. */
export type NoAnswer = { noAnswer: string };

/** Failed starts in a row after which a provider counts as down. */
export const MAX_FAILED_STARTS = 5;
