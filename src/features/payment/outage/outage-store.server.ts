import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { cacheUntilChanged } from '~/platform/invalidation/cache-until-changed.server.ts';
import { paymentPartner } from './tables.server.ts';

export type Partner = typeof paymentPartner.$inferSelect;

/** Cached: at most two rows that rarely change, read with every payment. */
const partnersCache = cacheUntilChanged({
  topic: 'payment_partner',
  read: (db): Promise<Partner[]> =>
    db.select().from(paymentPartner).orderBy(paymentPartner.downSince, paymentPartner.provider),
});

/** The providers that are down, the longest first. */
export const rowsDown = async (db: Database): Promise<Partner[]> =>
  (await partnersCache.current(db)).filter(({ downSince }) => downSince !== null);

/** After a change by this process: the next read asks the database. */
export const invalidatePartners = (db: Database): void => partnersCache.invalidate(db);

/** Counts a failed start, and locks the provider's row until the transaction ends. */
export async function countFailure(
  tx: Transaction,
  provider: string,
  { at, after }: { at: Date; /** An older failure is forgotten. */ after: Date },
): Promise<Partner> {
  const again = sql`case when ${paymentPartner.lastFailureAt} > ${after.toISOString()}::timestamptz
    or ${paymentPartner.downSince} is not null then ${paymentPartner.failures} + 1 else 1 end`;
  const [row] = await tx
    .insert(paymentPartner)
    .values({ provider, failures: 1, lastFailureAt: at })
    .onConflictDoUpdate({
      target: paymentPartner.provider,
      set: { failures: again, lastFailureAt: at },
    })
    .returning();
  if (!row) throw new Error('The failure was not counted');
  return row;
}

export async function markDown(tx: Transaction, provider: string, since: Date): Promise<void> {
  await tx
    .update(paymentPartner)
    .set({ downSince: since })
    .where(eq(paymentPartner.provider, provider));
}

/** Deletes the failures; returns since when it was down, or null. */
export async function resetFailures(tx: Transaction, provider: string): Promise<Date | null> {
  const [before] = await tx
    .select()
    .from(paymentPartner)
    .where(and(eq(paymentPartner.provider, provider), gt(paymentPartner.failures, 0)))
    .for('no key update');
  if (!before) return null;
  await tx
    .update(paymentPartner)
    .set({ failures: 0, downSince: null })
    .where(eq(paymentPartner.provider, provider));
  return before.downSince;
}

/** Whether there are failures to delete: rarely, and cheaper to check than a transaction. */
export const hasFailures = async (db: Database, provider: string): Promise<boolean> =>
  (await partnersCache.current(db)).some((one) => one.provider === provider && one.failures > 0);
