import type { Transaction } from '~/platform/postgres/database.server.ts';
import { applicationEarlierPassport } from './tables.server.ts';

/**
 * Stores the passport that an application named so far, before it is replaced; the hashes are keyed as those of the
 * application's kind.
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
