import { randomUUID } from 'node:crypto';
import { add } from '~/base/money.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { providerNamed, type Movement } from '../provider.ts';
import type { Payments } from '../settlement/context.server.ts';
import { attemptOfCapture, raiseAlert } from '../settlement/store.server.ts';
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

/** Without disputes of captures that are not ours: other software may use the same account. */
export async function onlyOurs(db: Queryable, provider: string, moved: Moved): Promise<Moved> {
  if (moved === null || moved === 'no_answer') return moved;
  const own: Movement[] = [];
  for (const movement of moved) {
    const { kind, captureId } = movement;
    const isStrange =
      kind === 'dispute' && (!captureId || !(await attemptOfCapture(db, provider, captureId)));
    if (!isStrange) own.push(movement);
  }
  return own;
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

/** Raises an alert, once, for each capture in the provider's books that is in no attempt of ours. */
export async function alertAboutStrangers(
  tx: Transaction,
  { day, provider }: Pick<Report, 'day' | 'provider'>,
  moved: Moved,
  now: Date,
): Promise<void> {
  if (moved === null || moved === 'no_answer') return;
  for (const { kind, captureId } of moved) {
    if (kind !== 'capture' || captureId === null) continue;
    if (await attemptOfCapture(tx, provider, captureId)) continue;
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'unknown_reference',
      attemptId: null,
      once: `books:stranger:${provider}:${captureId}`,
      detail: { day, captureId },
      raisedAt: now,
    });
  }
}
