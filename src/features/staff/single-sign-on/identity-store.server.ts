import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Account } from '../store.server.ts';
import { staffAccount, staffIdentity, staffSession } from '../tables.server.ts';

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

/** As much as is kept of the provider's name for a session of its own. */
const LONGEST_SESSION = 200;
export const storedProviderSession = (sid: string): string => sid.slice(0, LONGEST_SESSION);

/**
 * Ends sessions that a sign-in at the provider opened: of a person there, of one session there, or of both. Returns how
 * many ended, by account.
 */
export async function endProviderSessions(
  db: Queryable,
  {
    issuer,
    subject,
    session,
    now,
  }: { issuer: string; subject: string | null; session: string | null; now: Date },
): Promise<Map<string, number>> {
  const accounts = db
    .select({ id: staffIdentity.accountId })
    .from(staffIdentity)
    .where(subject === null ? eq(staffIdentity.issuer, issuer) : isIdentity({ issuer, subject }));
  const rows = await db
    .update(staffSession)
    .set({ endedAt: now })
    .where(
      and(
        eq(staffSession.method, 'provider'),
        isNull(staffSession.endedAt),
        inArray(staffSession.accountId, accounts),
        session === null
          ? undefined
          : eq(staffSession.providerSession, storedProviderSession(session)),
      ),
    )
    .returning({ accountId: staffSession.accountId });
  const ended = new Map<string, number>();
  for (const { accountId } of rows) ended.set(accountId, (ended.get(accountId) ?? 0) + 1);
  return ended;
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
