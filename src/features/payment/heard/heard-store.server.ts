import { and, eq } from 'drizzle-orm';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { paymentNotification } from './tables.server.ts';

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
