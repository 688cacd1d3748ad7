import { randomUUID } from 'node:crypto';
import { usd } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { advance } from './machine.ts';
import { providerNamed, type Providers } from './providers.ts';
import { attemptById, changeAttempt, lockReference, raiseAlert } from './store.server.ts';

/**
 * Gives back a capture that arrived for an order which somebody else's capture had paid. Safe to repeat: the
 * attempt's id is the provider's idempotency key. Throws when the provider did not answer, so that the job retries.
 */
export async function refundLate(
  platform: Platform,
  providers: Providers,
  attemptId: string,
): Promise<void> {
  const attempt = await attemptById(platform.db, attemptId);
  if (attempt?.state !== 'captured_late' || attempt.captureId === null) return;
  const provider = providerNamed(providers, attempt.provider);
  if (!provider) throw new Error(`No provider ${attempt.provider} is configured`);
  const { id, providerReference, captureId } = attempt;
  const outcome = await provider.refund({
    refundId: `late-${id}`,
    attempt: { id, providerReference, captureId },
    amount: usd(attempt.amountMinor),
  });
  if (!outcome.ok && outcome.error.code === 'no_answer')
    throw new Error('Refund: no answer from the provider');
  await platform.db.transaction(async (tx) => {
    await lockReference(tx, attempt.reference);
    if (!outcome.ok) {
      const now = platform.now();
      const detail = { message: outcome.error.message };
      await raiseAlert(tx, {
        id: randomUUID(),
        kind: 'refund_failed',
        attemptId,
        detail,
        raisedAt: now,
      });
      return;
    }
    const step = advance('captured_late', 'refund_rest');
    if (step.kind !== 'moved') return;
    await changeAttempt(
      tx,
      { id, from: 'captured_late' },
      { state: step.to, refundedMinor: attempt.amountMinor, changedAt: platform.now() },
    );
  });
}
