/** What waits for somebody, beside the names of the pages where it is done. */
export type DeskSignals = {
  /** Refunds that this person may release. */
  readonly refunds: number;
  /** Open alerts about money; 0 for whoever may not see payments. */
  readonly alerts: number;
  /** Payment partners that begin no payments, for everybody. */
  readonly partnersDown: readonly { provider: string; since: Date }[];
  /** Whether this person may read of them on the page of payments. */
  readonly maySeePayments: boolean;
  /** A year whose holidays are not all known, for whoever may close days instead; null for none. */
  readonly yearWithoutFeasts: number | null;
};

/** What the frame of every page brought; null for whoever is not signed in. `now`: in milliseconds since 1970. */
export type FrameData = { signals: DeskSignals | null; now: number };
