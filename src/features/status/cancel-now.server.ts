import { createContext } from 'react-router';
import type { Money } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** What cancelling one application pays back now. */
export type CancelNow = {
  total: Money;
  /** The last moment at which that holds; null where it does not change. */
  holdsUntil: Date | null;
  /** Only while it has not been sent to the authorities. */
  isWhilePending: boolean;
};

/**
 * For the payer's browser; null for any other, and where nothing can be cancelled. A parameter, because cancelling stands
 * above this feature: `src/app` passes it in.
 */
export type QuoteCancelNow = (
  platform: Pick<Platform, 'db' | 'now'>,
  number: string,
  sessionHash: Buffer,
) => Promise<CancelNow | null>;

export const cancelNowContext = createContext<QuoteCancelNow>();
