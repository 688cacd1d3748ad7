import { and, asc, eq } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Account } from '../store.server.ts';
import { staffAccount, staffPasskey } from '../tables.server.ts';

export type Passkey = typeof staffPasskey.$inferSelect;

export const passkeysOf = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(staffPasskey)
    .where(eq(staffPasskey.accountId, accountId))
    .orderBy(asc(staffPasskey.createdAt));

/** A passkey with its account, a deactivated one included; null for an unknown id. */
export async function passkeyById(
  db: Queryable,
  id: string,
): Promise<{ passkey: Passkey; account: Account } | null> {
  const [row] = await db
    .select({ passkey: staffPasskey, account: staffAccount })
    .from(staffPasskey)
    .innerJoin(staffAccount, eq(staffAccount.id, staffPasskey.accountId))
    .where(eq(staffPasskey.id, id));
  return row ?? null;
}

/** Stores a passkey; false where its id is there already. */
export async function insertPasskey(
  db: Queryable,
  row: typeof staffPasskey.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(staffPasskey)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}

/** Notes a use; false where another use came between, so that its counter would go back. */
export async function markPasskeyUsed(
  db: Queryable,
  { id, counter }: Passkey,
  used: { counter: number; at: Date },
): Promise<boolean> {
  const rows = await db
    .update(staffPasskey)
    .set({ counter: used.counter, usedAt: used.at })
    .where(and(eq(staffPasskey.id, id), eq(staffPasskey.counter, counter)))
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}

/** Renames one passkey of an account; false where it has none of this id. */
export async function setPasskeyName(
  db: Queryable,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<boolean> {
  const rows = await db
    .update(staffPasskey)
    .set({ name })
    .where(and(eq(staffPasskey.accountId, accountId), eq(staffPasskey.id, id)))
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}

/** Removes one passkey of an account; false where it has none of this id. */
export async function deletePasskey(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .delete(staffPasskey)
    .where(and(eq(staffPasskey.accountId, accountId), eq(staffPasskey.id, id)))
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}

export async function deletePasskeysOf(db: Queryable, accountId: string): Promise<void> {
  await db.delete(staffPasskey).where(eq(staffPasskey.accountId, accountId));
}
