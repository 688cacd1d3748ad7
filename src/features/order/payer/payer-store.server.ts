import { keptSince } from '~/base/retention-periods.ts';
import { and, eq, lt, ne } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { orderPayerDevice } from '../tables.server.ts';

export type PayerDevice = typeof orderPayerDevice.$inferInsert;

/** Adds a browser of the order's payer; idempotent. */
export async function addPayerDevice(db: Queryable, device: PayerDevice): Promise<void> {
  await db.insert(orderPayerDevice).values(device).onConflictDoNothing();
}

/**
 * Removes the browsers that opened a payer's link; the browser that made the order stays its payer's. `except`: the
 * session hash of a browser that stays.
 */
export async function dropPayerDevices(
  tx: Transaction,
  orderId: string,
  { except = null }: { except?: Buffer | null } = {},
): Promise<void> {
  await tx
    .delete(orderPayerDevice)
    .where(
      and(
        eq(orderPayerDevice.orderId, orderId),
        except === null ? undefined : ne(orderPayerDevice.sessionHash, except),
      ),
    );
}

/** Deletes browsers whose sessions ended long ago. For a recurring job. */
export async function purgePayerDevices(db: Queryable, now: Date): Promise<void> {
  const since = keptSince('payerDevice', now);
  await db.delete(orderPayerDevice).where(lt(orderPayerDevice.createdAt, since));
}
