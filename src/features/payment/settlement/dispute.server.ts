import { randomUUID } from 'node:crypto';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ProviderDispute } from '../provider.ts';
import { attemptOfCapture, raiseAlert } from './store.server.ts';

/**
 * Raises an alert about a dispute, once for each state that it reaches. The provider takes the money itself and decides
 * itself: our ledger changes nothing, and staff answer at the provider. False where no attempt has the capture (yet):
 * the provider is to tell again.
 */
export async function raiseDispute(
  platform: Platform,
  provider: ProviderName,
  { disputeId, captureId, status, reason, amount }: ProviderDispute,
): Promise<boolean> {
  return platform.db.transaction(async (tx) => {
    const attempt = await attemptOfCapture(tx, provider, captureId);
    if (!attempt) return false;
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'disputed',
      attemptId: attempt.id,
      once: `dispute:${provider}:${disputeId}:${status}`,
      detail: { disputeId, captureId, status, reason, amountMinor: amount?.minor ?? null },
      raisedAt: platform.now(),
    });
    return true;
  });
}
