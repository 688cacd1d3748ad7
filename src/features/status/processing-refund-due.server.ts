import { createContext } from 'react-router';
import type { Money } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';

/**
 * What of the processing price the payer's browser may have refunded because we missed the promised moment; null for any
 * other browser, and where nothing is due. A parameter, because refunding stands above this feature: `src/app` passes it
 * in.
 */
export type QuoteProcessingRefund = (
  platform: Pick<Platform, 'db' | 'now'>,
  number: string,
  sessionHash: Buffer,
) => Promise<Money | null>;

export const processingRefundContext = createContext<QuoteProcessingRefund>();
