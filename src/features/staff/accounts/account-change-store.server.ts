import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { staffAccountChange } from '../tables.server.ts';

const facts = z.object({ name: z.string(), email: z.string() });

const content = z.object({ before: facts, after: facts });

export type AccountChange = { id: string; changedBy: string; at: Date } & z.infer<typeof content>;

const contextOf = (id: string) => `staff_account_change.content:${id}`;

export async function insertAccountChange(
  tx: Transaction,
  sealer: Pick<Sealer, 'sealJson'>,
  { accountId, changedBy, at, before, after }: { accountId: string } & Omit<AccountChange, 'id'>,
): Promise<void> {
  const id = randomUUID();
  const sealed = sealer.sealJson({ before, after }, contextOf(id));
  await tx.insert(staffAccountChange).values({ id, accountId, changedBy, at, content: sealed });
}

/** Of one account, the newest first. */
export async function accountChanges(
  db: Queryable,
  sealer: Pick<Sealer, 'unsealJson'>,
  accountId: string,
): Promise<AccountChange[]> {
  const rows = await db
    .select()
    .from(staffAccountChange)
    .where(eq(staffAccountChange.accountId, accountId))
    .orderBy(desc(staffAccountChange.at), desc(staffAccountChange.id));
  return rows.map(({ id, changedBy, at, content: sealed }) => ({
    id,
    changedBy,
    at,
    ...content.parse(sealer.unsealJson(sealed, contextOf(id))),
  }));
}
