import type { Transaction } from '~/platform/database.server.ts';
import { applicationEarlierPassport } from './tables.server.ts';

/** Remembers the passport that an application named until now; `hash` is the keyed hash of its kind. */
export async function rememberPassport(
  tx: Transaction,
  { id: applicationId, hash: passportHash }: { id: string; hash: Buffer },
): Promise<void> {
  await tx
    .insert(applicationEarlierPassport)
    .values({ applicationId, passportHash })
    .onConflictDoNothing();
}
