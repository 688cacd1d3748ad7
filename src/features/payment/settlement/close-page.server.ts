import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isDecided } from '../machine.ts';
import { providerNamed, type Providers } from '../provider.ts';
import { attemptById, attemptsByReference, type Attempt } from './store.server.ts';

export const CLOSE_PAGE_JOB = 'payment.close_page';

/** Its page may be open: the provider has begun it, and nothing was captured. */
const mayBeOpen = ({ providerReference, captureId }: Attempt): boolean =>
  providerReference !== null && captureId === null;

/**
 * Has payment pages closed, in the caller's transaction, because another attempt has paid, is begun instead, or another amount is due: a
 * capture there would be refunded, but the payer would be charged first.
 */
export async function queuePageClosing(
  tx: Transaction,
  attempts: readonly Attempt[],
): Promise<void> {
  for (const { id } of attempts.filter(mayBeOpen)) {
    await enqueue(tx, CLOSE_PAGE_JOB, { attemptId: id }, { key: `close_page:${id}` });
  }
}

/**
 * Closes the payment page of an attempt that can pay nothing any more. Safe to repeat.
 * @throws Error when the provider did not answer, so that the job is retried.
 */
export async function closePage(
  { db }: Pick<Platform, 'db'>,
  providers: Providers,
  attemptId: string,
): Promise<void> {
  const attempt = await attemptById(db, attemptId);
  if (!attempt || !mayBeOpen(attempt)) return;
  const attempts = await attemptsByReference(db, attempt.reference);
  const isPaid = attempts.some(({ completedAt }) => completedAt !== null);
  if (!isPaid && attempt.supersededAt === null && !isDecided(attempt.state)) return;
  const { id, providerReference } = attempt;
  const provider = providerNamed(providers, attempt.provider);
  const answer = await provider?.closePage?.({ id, providerReference });
  if (answer === 'no_answer') throw new Error('A payment page: no answer from the provider');
}
