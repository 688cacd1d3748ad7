import type { ProviderName } from '~/base/payment-providers.ts';

/** A recorded message of a provider to our server, which can be sent again. */
export type Word = {
  /** Returns our response's HTTP status. */
  send(forged?: 'unsigned' | 'wrong_signature'): Promise<number>;
};

/**
 * A failing call to the provider. `error`: status 500 before anything is done; `lost`: 500 after it is done; `reset`:
 * connection broken after it is done.
 */
export type Fault = 'error' | 'lost' | 'reset';
/** Further results of a refund call: refused, or pending. */
export type RefundFault = Fault | 'refused' | 'pending';

/** What the contract suite does with one provider's double. Amounts are in cents. */
export type Stage = {
  name: ProviderName;
  /** The payer approves. Returns where the browser is sent. */
  approve(attemptId: string): Promise<string>;
  /** The payment is declined. Returns where the browser is sent. */
  decline(attemptId: string): Promise<string>;
  /** The payer cancels. Returns where the browser is sent. */
  cancel(attemptId: string): Promise<string>;
  /** Captures whatever became of the payment before, with a notification. */
  captureAfterAll(attemptId: string): Promise<void>;
  /** Captures less than was asked, with a notification. */
  captureTooLittle(attemptId: string): Promise<void>;
  /** The messages of the longest flow that ends with a capture, in order. */
  story(attemptId: string): Promise<Word[]>;
  /** The provider's last message about a payment. */
  lastWord(attemptId: string): Promise<Word>;
  /** What the provider has captured and refunded. */
  money(attemptId: string): Promise<{ captured: number; refunded: number }>;
  /** Makes the next such call fail, once. */
  fault(call: 'begin' | 'ask', how: Fault): Promise<void>;
  /** Makes the call that captures fail; null where the provider captures without one. */
  faultCapture: ((how: Fault) => Promise<void>) | null;
  faultRefund(how: RefundFault): Promise<void>;
  /** Decides the pending refund, with a notification. */
  decideRefund(refundId: string, attemptId: string, state: 'completed' | 'failed'): Promise<void>;
};
