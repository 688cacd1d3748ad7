import type { PaymentState } from '../../machine.ts';
import type { ProviderEvent } from '../../provider.ts';

export type SeenAttempt = {
  id: string;
  state: PaymentState;
  captureId: string | null;
  isCompleted: boolean;
  refundedMinor: number;
  claimedMinor: number;
};

/** Everything about one order that an invariant speaks of. */
export type Sight = {
  attempts: SeenAttempt[];
  /** The attempt that paid the order. */
  paidBy: string | null;
  /** The inbox: every event id with what became of it. */
  inbox: { eventId: string; attemptId: string | null; result: string }[];
  movingRefunds: number;
  failedRefunds: number;
};

/** What a history is played on: the pure rules, or the database with the real functions. One order each. */
export type System = {
  /** Presses Pay. */
  start(): Promise<void>;
  /** Settles one statement; answers what became of it. */
  deliver(word: ProviderEvent): Promise<string>;
  /** Time passes, then the sweep runs. */
  wait(minutes: number): Promise<void>;
  /** Asks for a part of what the order's attempt took, in cents; false where that may not be. */
  refund(attemptId: string, minor: number): Promise<boolean>;
  /** The jobs that send refunds run. */
  sendRefunds(): Promise<void>;
  look(): Promise<Sight>;
};
