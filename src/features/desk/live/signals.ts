import type { Appearance } from '~/features/staff/appearance.ts';

/** Counts beside the names of the pages, and notices for every page. */
export type DeskSignals = {
  /** Refunds that this person may release. */
  readonly refunds: number;
  /** Open alerts about money; 0 for those who may not see payments. */
  readonly alerts: number;
  /** Payment providers that are down, for everybody. */
  readonly partnersDown: readonly { provider: string; since: Date }[];
  /** Whether this person may open the page of payments. */
  readonly maySeePayments: boolean;
  /** A year whose holidays are not all known, for those who may close days; null for none. */
  readonly yearWithoutFeasts: number | null;
};

/**
 * The data of every page's frame; null signals without a session. `now`: in milliseconds since 1970. `appearance`: as the
 * device for visitors.
 */
export type FrameData = { signals: DeskSignals | null; now: number; appearance: Appearance };
