import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import type { PaymentEvent } from './machine.ts';

export const providerNames = ['card', 'paypal'] as const;
export type ProviderName = (typeof providerNames)[number];

/** What a provider is told about one attempt. Names and addresses pass through; they are not stored here. */
export type AttemptToBegin = {
  id: string;
  amount: Money;
  description: string;
  language: string;
  customer: {
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
export type Handover =
  | { kind: 'link'; url: string }
  | { kind: 'form'; url: string; fields: Record<string, string> };

export type Begun = { providerReference: string | null; handover: Handover };

/**
 * `refused`: the provider said no and nothing was made there. `no_answer`: a timeout, a 5xx, nonsense; whether
 * something exists there is unknown, so the attempt stays open until the provider was asked.
 */
export type BeginError = { code: 'refused' | 'no_answer'; message: string };

/** A verified statement of a provider about one attempt. */
export type Evidence = {
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
export type Answer = Evidence | 'nothing' | 'unknown' | 'no_answer';

export type RefundError = { code: 'refused' | 'no_answer'; message: string };

/** A payment partner. One implementation per folder entry in `providers/`; one contract suite runs against all. */
export type Provider = {
  name: ProviderName;
  /** Idempotent by the attempt's id. */
  begin(attempt: AttemptToBegin): Promise<Outcome<Begun, BeginError>>;
  /** What the provider knows about an attempt, in its own signed words. */
  ask(attempt: { id: string; providerReference: string | null }): Promise<Answer>;
  /** Reads a browser's return or a server's notification; null when it is not verifiably the provider's. */
  read(payload: string): Evidence | null;
  /** Idempotent by `refundId`. */
  refund(refund: {
    refundId: string;
    attempt: { id: string; providerReference: string | null; captureId: string };
    amount: Money;
  }): Promise<Outcome<{ providerRefundId: string }, RefundError>>;
};
