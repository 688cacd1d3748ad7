import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { PaymentEvent } from './machine.ts';

/** What a provider is told about one attempt. Names and addresses pass through; they are not stored here. */
export type AttemptToBegin = {
  id: string;
  amount: Money;
  description: string;
  language: string;
  /** Our own addresses for the payer's browser; each names the attempt by a signed token. */
  returnUrl: string;
  cancelUrl: string;
  customer: {
    /** Empty for a guest who did not say: nobody is told the payer's. */
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

/** Where the browser goes next: a link, or a form that the redirect page posts. */
export type CheckoutRedirect =
  | { kind: 'link'; url: string }
  | { kind: 'form'; url: string; fields: Record<string, string> };

export type Begun = { providerReference: string | null; checkoutRedirect: CheckoutRedirect };

/**
 * `refused`: the provider said no and nothing was made there. `no_answer`: a timeout, a 5xx, nonsense; whether
 * something exists there is unknown, so the attempt stays open until the provider was asked.
 */
export type BeginError = { code: 'refused' | 'no_answer'; message: string };

/** A verified statement of a provider about one attempt. */
export type ProviderEvent = {
  /** Unique at the provider; the same statement delivered twice carries the same id. */
  eventId: string;
  attemptId: string;
  event: PaymentEvent;
  amount: Money | null;
  providerReference: string | null;
  captureId: string | null;
  reason: string | null;
  /** What to keep of the provider's words; no personal data, no card data but the last four digits. */
  payload: Record<string, string | number | null>;
};

/** `nothing`: the provider knows the attempt and it is undecided. `unknown`: it never heard of it. */
export type Answer = ProviderEvent | 'nothing' | 'unknown' | 'no_answer';

/** How a provider knows an attempt: by our id, and by its own since it began. */
export type AttemptAsked = { id: string; providerReference: string | null };

/** A verified statement of a provider about money that went back. */
export type ProviderRefundEvent = {
  eventId: string;
  providerRefundId: string;
  /** Ours; null where the refund was not asked for by us (made by hand at the provider). */
  refundId: string | null;
  captureId: string | null;
  state: RefundState;
  amount: Money | null;
  payload: ProviderEvent['payload'];
};

export type RefundState = 'pending' | 'completed' | 'failed';

/**
 * What a notification turned out to be. ask: it is genuine and about this attempt, but proves nothing by itself.
 * unavailable: it could not be verified just now and has to be delivered again.
 */
export type Notification =
  | { kind: 'payment'; event: ProviderEvent }
  | { kind: 'refund'; event: ProviderRefundEvent }
  | { kind: 'ask'; attemptId: string }
  | { kind: 'irrelevant' | 'unverified' | 'unavailable' };

/** A notification as it came: a signature covers the very bytes. */
export type RawNotification = { headers: Headers; body: Buffer };

export type RefundError = { code: 'refused' | 'no_answer'; message: string };

export type RefundToMake = {
  refundId: string;
  attempt: AttemptAsked & { captureId: string };
  amount: Money;
};

export type RefundMade = { providerRefundId: string; state: RefundState };

/** What a provider's books say about one attempt, for reconciliation. */
export type Books = { captured: Money | null; captureId: string | null; refunded: Money };

/** A payment partner. One implementation per file in `providers/`; one contract suite runs against all. */
export type Provider = {
  name: ProviderName;
  /** Idempotent by the attempt's id. */
  begin(attempt: AttemptToBegin): Promise<Outcome<Begun, BeginError>>;
  /**
   * What the provider knows about an attempt, in its own verified words. `mayCapture`: money that the payer has
   * approved and the provider only holds is taken now; without it, asking changes nothing.
   */
  ask(attempt: AttemptAsked, options: { mayCapture: boolean }): Promise<Answer>;
  /** Reads what a browser brought back; null where it is not verifiably the provider's: then the provider is asked. */
  readReturn(query: URLSearchParams): ProviderEvent | null;
  readNotification(raw: RawNotification): Promise<Notification>;
  /** Idempotent by `refundId`: a repetition answers how the refund stands. */
  refund(refund: RefundToMake): Promise<Outcome<RefundMade, RefundError>>;
  /** How a refund stands that was asked for; `unknown`: the provider never heard of it. */
  askRefund(
    refund: RefundToMake & { providerRefundId: string | null },
  ): Promise<RefundMade | 'unknown' | 'no_answer'>;
  books(attempt: AttemptAsked): Promise<Books | 'unknown' | 'no_answer'>;
};
