import { and, eq } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Account } from '../store.server.ts';
import { staffAccount, staffIdentity } from '../tables.server.ts';

/** A person at an identity provider: the issuer, and its name for the person, which it gives to nobody else. */
export type Identity = { issuer: string; subject: string };

const isIdentity = ({ issuer, subject }: Identity) =>
  and(eq(staffIdentity.issuer, issuer), eq(staffIdentity.subject, subject));

/** The account that is connected to an identity, a deactivated one included; null for none. */
export async function accountOfIdentity(
  db: Queryable,
  identity: Identity,
): Promise<Account | null> {
  const [row] = await db
    .select({ account: staffAccount })
    .from(staffIdentity)
    .innerJoin(staffAccount, eq(staffAccount.id, staffIdentity.accountId))
    .where(isIdentity(identity));
  return row?.account ?? null;
}

/** Connects an identity; false where it, or the account, is connected already. */
export async function insertIdentity(
  db: Queryable,
  row: Identity & { accountId: string; connectedAt: Date },
): Promise<boolean> {
  const rows = await db
    .insert(staffIdentity)
    .values(row)
    .onConflictDoNothing()
    .returning({ accountId: staffIdentity.accountId });
  return rows.length === 1;
}

/** Whether an account is connected to an identity. */
export const isConnected = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await db.$count(staffIdentity, eq(staffIdentity.accountId, accountId))) > 0;

/** Ends the connections of an account; returns how many there were. */
export async function deleteIdentities(db: Queryable, accountId: string): Promise<number> {
  const rows = await db
    .delete(staffIdentity)
    .where(eq(staffIdentity.accountId, accountId))
    .returning({ issuer: staffIdentity.issuer });
  return rows.length;
}
