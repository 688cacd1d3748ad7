import { randomUUID } from 'node:crypto';
import { add } from '~/base/money.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { providerNamed, type Movement } from '../provider.ts';
import { isMoving } from '../refund-machine.ts';
import type { Payments } from '../settlement/context.server.ts';
import { unknownRefundAlert } from '../settlement/refund-notification.server.ts';
import { refundsOf } from '../settlement/refund-store.server.ts';
import { attemptsOfCaptures, raiseAlert } from '../settlement/store.server.ts';
import type { Report, Span } from './store.server.ts';

/** A day's movements in a provider's books; null where it has no such list. */
export type Moved = readonly Movement[] | 'no_answer' | null;

export async function movementsOf(
  { providers }: Pick<Payments, 'providers'>,
  name: string,
  span: Span,
): Promise<Moved> {
  const provider = providerNamed(providers, name);
  if (!provider?.movements) return null;
  return provider.movements(span).catch((): Moved => 'no_answer');
}

/** Those that name a capture, which may be somebody else's: other software may use the same account. */
const namesCapture = ({ kind }: Movement) => kind === 'dispute' || kind === 'refund';

const capturesIn = (moved: readonly Movement[]) => [
  ...new Set(moved.flatMap(({ captureId }) => captureId ?? [])),
];

/** Without refunds and disputes of captures that are not ours. */
export async function ownMovements(db: Queryable, provider: string, moved: Moved): Promise<Moved> {
  if (moved === null || moved === 'no_answer') return moved;
  const known = await attemptsOfCaptures(db, provider, capturesIn(moved.filter(namesCapture)));
  return moved.filter((one) => !namesCapture(one) || known.has(one.captureId ?? ''));
}

/**
 * What the provider kept of payments, refunds and disputes, in minor units; null where one of them does not say it in
 * our currency.
 */
export function feesOf(moved: Moved): number | null {
  if (moved === null || moved === 'no_answer') return null;
  const charged = moved.filter(({ kind }) => kind !== 'payout' && kind !== 'fee');
  const fees = charged.flatMap(({ fee }) => fee ?? []);
  return fees.length === charged.length ? add(...fees).minor : null;
}

/**
 * Raises an alert, once, for each capture in the provider's books that is in no attempt of ours, and for each refund of
 * a capture of ours that is not in our ledger.
 */
export async function alertAboutUnknown(
  tx: Transaction,
  { day, provider }: Pick<Report, 'day' | 'provider'>,
  moved: Moved,
  now: Date,
): Promise<void> {
  if (moved === null || moved === 'no_answer') return;
  const known = await attemptsOfCaptures(tx, provider, capturesIn(moved));
  for (const { kind, captureId } of moved) {
    if (kind !== 'capture' || captureId === null || known.has(captureId)) continue;
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'unknown_reference',
      attemptId: null,
      once: `books:stranger:${provider}:${captureId}`,
      detail: { day, captureId },
      raisedAt: now,
    });
  }
  const refunded = moved.filter(({ kind, refundId }) => kind === 'refund' && refundId !== null);
  const attempts = capturesIn(refunded).flatMap((captureId) => known.get(captureId) ?? []);
  const ours = await refundsOf(
    tx,
    attempts.map(({ id }) => id),
  );
  for (const { captureId, refundId, amount } of refunded) {
    const attempt = known.get(captureId ?? '');
    // One of ours that is being made may be booked before its id is stored.
    const isOurs = ours.some(
      (one) =>
        one.attemptId === attempt?.id &&
        (one.providerRefundId === refundId ||
          (one.providerRefundId === null && isMoving(one.state))),
    );
    if (!attempt || refundId === null || isOurs) continue;
    await raiseAlert(tx, {
      ...unknownRefundAlert(provider, { attempt, providerRefundId: refundId, isFailed: false }),
      detail: {
        day,
        captureId,
        providerRefundId: refundId,
        amountMinor: amount && Math.abs(amount.minor),
      },
      raisedAt: now,
    });
  }
}
