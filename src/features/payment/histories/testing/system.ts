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

/** The state of one order that invariants refer to. */
export type Sight = {
  attempts: SeenAttempt[];
  /** The attempt that paid the order. */
  paidBy: string | null;
  /** The inbox: every event id with its result. */
  inbox: { eventId: string; attemptId: string | null; result: string }[];
  movingRefunds: number;
  failedRefunds: number;
};

/** What runs a history: the pure rules, or the real functions on a database. One order each. */
export type System = {
  /** Presses Pay. */
  start(): Promise<void>;
  /** Settles one event; returns its result. */
  deliver(word: ProviderEvent): Promise<string>;
  /** Advances the clock, then runs the sweep. */
  wait(minutes: number): Promise<void>;
  /** Asks for a refund of part of the attempt's capture, in cents; returns false where that is refused. */
  refund(attemptId: string, minor: number): Promise<boolean>;
  /** Runs the jobs that send refunds. */
  sendRefunds(): Promise<void>;
  look(): Promise<Sight>;
};
