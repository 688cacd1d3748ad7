import type { ProviderName } from '~/base/payment-providers.ts';

/** Something that a partner says to our server, exactly as it was said at the time; it can be sent again. */
export type Word = {
  /** Our answer's HTTP status. */
  send(forged?: 'unsigned' | 'wrong_signature'): Promise<number>;
};

/**
 * A call to the partner that goes wrong. begin makes a payment there, ask looks at one; both have every trouble:
 * error is a 500 before anything is done, lost a 500 after, reset a broken connection after.
 */
export type Trouble = 'error' | 'lost' | 'reset';
/** What a refund may come to besides: refused by the call, failed, or pending. */
export type RefundTrouble = Trouble | 'refused' | 'pending';

/** How one partner's double is played by the contract suite. Amounts are in cents. */
export type Stage = {
  name: ProviderName;
  /** The payer agrees to pay. Answers where the browser is sent. */
  approve(attemptId: string): Promise<string>;
  /** The payer's money is refused. Answers where the browser is sent. */
  decline(attemptId: string): Promise<string>;
  /** The payer turns back. Answers where the browser is sent. */
  cancel(attemptId: string): Promise<string>;
  /** The partner takes the money whatever became of the payment before, and will say so. */
  captureAfterAll(attemptId: string): Promise<void>;
  /** The partner takes less than was asked, and will say so. */
  captureTooLittle(attemptId: string): Promise<void>;
  /** The longest story that ends with the money taken: all its words, as they came. */
  story(attemptId: string): Promise<Word[]>;
  /** The partner's last word about a payment. */
  lastWord(attemptId: string): Promise<Word>;
  /** What the partner has taken and given back. */
  money(attemptId: string): Promise<{ captured: number; refunded: number }>;
  /** The next such call goes wrong, once. */
  trouble(call: 'begin' | 'ask', how: Trouble): Promise<void>;
  /** The call that takes the money goes wrong; null where the partner takes it by itself. */
  troubleCapture: ((how: Trouble) => Promise<void>) | null;
  troubleRefund(how: RefundTrouble): Promise<void>;
  /** Decides the pending refund and will say so. */
  decideRefund(refundId: string, attemptId: string, state: 'completed' | 'failed'): Promise<void>;
};
