import { eq, lt } from 'drizzle-orm';
import { readNumber } from '~/features/application/number.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { erasedApplication } from './tables.server.ts';

type Hashing = Pick<Sealer, 'keyedHash'>;

const hashOf = (sealer: Hashing, number: string): Buffer =>
  sealer.keyedHash(number, 'erased_application.number');

/** Notes which applications an erasure takes; one that is repeated after a restore changes nothing of what is there. */
export async function insertErasedApplications(
  tx: Transaction,
  sealer: Hashing,
  { numbers, erasedAt }: { numbers: readonly string[]; erasedAt: Date },
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = numbers.map((number) => ({ numberHash: hashOf(sealer, number), erasedAt }));
  await tx.insert(erasedApplication).values(rows).onConflictDoNothing();
}

/** When the application with the number that somebody typed was erased on request; null where it was not. */
export async function erasedAtOf(
  db: Queryable,
  sealer: Hashing,
  typed: string,
): Promise<Date | null> {
  const read = readNumber(typed);
  if (!read.ok) return null;
  const [row] = await db
    .select({ erasedAt: erasedApplication.erasedAt })
    .from(erasedApplication)
    .where(eq(erasedApplication.numberHash, hashOf(sealer, read.number)));
  return row?.erasedAt ?? null;
}

export async function deleteErasedApplications(db: Queryable, before: Date): Promise<void> {
  await db.delete(erasedApplication).where(lt(erasedApplication.erasedAt, before));
}
