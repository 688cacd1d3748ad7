import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { awaitedReason } from '../awaited.ts';
import { advanceAttempt, isOpen } from '../machine.ts';
import { queuePageClosing } from './close-page.server.ts';
import {
  changeAttempt,
  dropAlert,
  lockAttemptsByReference,
  lockReference,
  type Attempt,
  pendingAlert,
} from './store.server.ts';

/** Milliseconds after which the sweep first asks whether a superseded attempt was paid. */
const FIRST_ASK_MS = 2 * 60_000;

/**
 * Ends every undecided attempt to pay a reference, because another amount is due from now on, and has open payment pages
 * closed where a provider can. A capture that comes all the same is a late one and is refunded completely, and what a
 * payer has only approved is never captured. Locks the reference until the transaction ends, so that a capture being settled
 * at the same time comes completely before or after. `paid`: one of them has paid. `taken_on`: one may be captured at
 * any moment; nothing was changed. With `takenOn: 'supersede'` such an attempt is superseded as well, and refunded if it is
 * captured.
 */
export async function supersedeAttempts(
  tx: Transaction,
  reference: string,
  at: Date,
  { takenOn = 'refuse' }: { takenOn?: 'refuse' | 'supersede' } = {},
): Promise<Outcome<null, 'paid' | 'taken_on'>> {
  await lockReference(tx, reference);
  // Locked as well, because a start and the sweep change an attempt without locking the reference.
  const attempts = await lockAttemptsByReference(tx, reference);
  if (attempts.some(({ completedAt }) => completedAt !== null)) return refused('paid');
  if (takenOn === 'refuse' && attempts.some(awaitedReason)) return refused('taken_on');
  for (const attempt of attempts) {
    if (attempt.supersededAt) continue;
    // An attempt that has ended may still be paid late, at the old amount.
    const mayEnd = isOpen(attempt.state) && !isTakenOn(attempt);
    const step = mayEnd ? advanceAttempt(attempt.state, 'expire') : null;
    const isEnded = step?.kind === 'moved';
    await changeAttempt(
      tx,
      { id: attempt.id, from: attempt.state },
      {
        supersededAt: at,
        checkoutRedirect: null,
        ...(isEnded && {
          state: step.to,
          changedAt: at,
          reason: 'superseded',
          askAt: new Date(at.getTime() + FIRST_ASK_MS),
        }),
      },
    );
    if (isEnded) await dropAlert(tx, pendingAlert(attempt.id), at);
  }
  await queuePageClosing(tx, attempts);
  return ok(null);
}

/**
 * Lets attempts count again that were superseded at a moment, because what superseded them is undone: a capture that comes
 * late pays the order. Payment pages that ended stay ended. False, and nothing changes, where one of them has moved since
 * or a new one was begun.
 */
export async function restoreSuperseded(
  tx: Transaction,
  reference: string,
  supersededAt: Date,
): Promise<boolean> {
  await lockReference(tx, reference);
  const attempts = await lockAttemptsByReference(tx, reference);
  const hasMoved = ({ createdAt, changedAt }: Attempt) =>
    createdAt > supersededAt || changedAt > supersededAt;
  if (attempts.some(hasMoved)) return false;
  for (const { id, state, supersededAt: at } of attempts) {
    if (at?.getTime() !== supersededAt.getTime()) continue;
    await changeAttempt(tx, { id, from: state }, { supersededAt: null });
  }
  return true;
}

/**
 * Ends attempts whose payer left the provider's page to pay in another way, as if cancelled there, and has their pages
 * closed where a provider can. They are asked about for a day: a capture that comes all the same is a late one, which
 * pays an order that is still unpaid or is refunded.
 */
export async function endUnfinished(
  tx: Transaction,
  reference: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await lockReference(tx, reference);
  const locked = await lockAttemptsByReference(tx, reference);
  const left = locked.filter((one) => ids.includes(one.id) && awaitedReason(one) === null);
  for (const { id, state } of left) {
    const step = isOpen(state) ? advanceAttempt(state, 'cancel') : null;
    if (step?.kind !== 'moved') continue;
    await changeAttempt(
      tx,
      { id, from: state },
      {
        state: step.to,
        changedAt: at,
        checkoutRedirect: null,
        reason: 'cancelled_by_payer',
        askAt: new Date(at.getTime() + FIRST_ASK_MS),
      },
    );
  }
  await queuePageClosing(tx, left);
}

/** The provider is deciding on it, so that it cannot be ended from here. */
const isTakenOn = ({ state }: Pick<Attempt, 'state'>): boolean =>
  state === 'pending' || state === 'authorised';
