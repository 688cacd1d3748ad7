import { and, eq } from 'drizzle-orm';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { paymentNotification } from './tables.server.ts';

/** How exactly it has to be known: one statement in this time, however many notifications arrive. */
const PRECISION_MS = 60_000;

/** What this process has noted, by provider. */
const noted = new WeakMap<Database, Map<ProviderName, Date>>();

/**
 * Notes that a verified notification of a provider has arrived. Simulated partners are not noted.
 * @throws what the database throws; the next notification is then noted again.
 */
export async function noteHeard(
  { db, config, now }: Pick<Platform, 'db' | 'config' | 'now'>,
  provider: ProviderName,
): Promise<void> {
  const endpoint = config.providers[provider]?.endpoint;
  if (endpoint === undefined) return;
  const heardAt = now();
  const known = noted.get(db) ?? new Map<ProviderName, Date>();
  noted.set(db, known);
  const before = known.get(provider);
  if (heardAt.getTime() - (before?.getTime() ?? 0) < PRECISION_MS) return;
  // At once, so that of many at the same moment one is written.
  known.set(provider, heardAt);
  try {
    await db
      .insert(paymentNotification)
      .values({ provider, endpoint, heardAt })
      .onConflictDoUpdate({
        target: [paymentNotification.provider, paymentNotification.endpoint],
        set: { heardAt },
      });
  } catch (error) {
    if (before) known.set(provider, before);
    else known.delete(provider);
    throw error;
  }
}

/** When a provider was last heard from this address of its; null where it never was. */
export async function lastHeard(
  db: Database,
  provider: ProviderName,
  endpoint: string,
): Promise<Date | null> {
  const [row] = await db
    .select({ heardAt: paymentNotification.heardAt })
    .from(paymentNotification)
    .where(
      and(eq(paymentNotification.provider, provider), eq(paymentNotification.endpoint, endpoint)),
    );
  return row?.heardAt ?? null;
}
