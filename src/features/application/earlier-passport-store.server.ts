import type { Transaction } from '~/platform/postgres/database.server.ts';
import { applicationEarlierPassport } from './tables.server.ts';

/**
 * Remembers the passport that an application named until now, where it is about to name another; the hashes are the
 * keyed ones of the application's kind.
 */
export async function rememberPassport(
  tx: Transaction,
  { applicationId, before, after }: { applicationId: string; before?: Buffer; after: Buffer },
): Promise<void> {
  if (!before || before.equals(after)) return;
  await tx
    .insert(applicationEarlierPassport)
    .values({ applicationId, passportHash: before })
    .onConflictDoNothing();
}
