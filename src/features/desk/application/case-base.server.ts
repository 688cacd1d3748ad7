import type { Application } from '~/features/application/store.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { attemptsFor, type Attempt } from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { claimsOn, type Claim } from '~/features/application/claim/claim-store.server.ts';

/** What several parts of an application's page need, read once. */
export type CaseBase = {
  order: Order | null;
  /** Oldest first. */
  attempts: readonly Attempt[];
  /** Who is working on it now. */
  claim: Claim | null;
};

export async function caseBase(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { id, orderNumber }: Application,
): Promise<CaseBase> {
  const [order, attempts, claims] = await Promise.all([
    orderByNumber(db, orderNumber),
    attemptsFor(db, orderNumber),
    claimsOn(db, [id], now()),
  ]);
  return { order, attempts, claim: claims.get(id) ?? null };
}
