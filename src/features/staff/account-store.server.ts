import { and, asc, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm';
import { cacheUntilChanged } from '~/platform/postgres/cache-until-changed.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import type { Appearance } from './appearance.ts';
import type { Role } from './roles.ts';
import { IDLE_MS } from './staff.ts';
import { forgetStaffNames, type Session } from './store.server.ts';
import {
  staffAccount,
  staffInvitation,
  staffRecoveryCode,
  staffReset,
  staffSession,
} from './tables.server.ts';

export type Invitation = typeof staffInvitation.$inferSelect;

/** Every account with its last activity, in alphabetical order. */
export async function listAccounts(db: Queryable) {
  return db
    .select({
      id: staffAccount.id,
      email: staffAccount.email,
      name: staffAccount.name,
      role: staffAccount.role,
      active: staffAccount.active,
      hasSecondFactor: sql<boolean>`${staffAccount.totpSecret} is not null`,
      hasPassword: sql<boolean>`${staffAccount.passwordHash} <> ''`,
      seenAt: sql<Date | null>`max(${staffSession.seenAt})`.mapWith(staffSession.seenAt),
    })
    .from(staffAccount)
    .leftJoin(staffSession, eq(staffSession.accountId, staffAccount.id))
    .groupBy(staffAccount.id)
    .orderBy(desc(staffAccount.active), asc(staffAccount.name), asc(staffAccount.id));
}

export async function hasEmail(db: Queryable, email: string): Promise<boolean> {
  return (await db.$count(staffAccount, eq(staffAccount.email, email))) > 0;
}

export async function changeAccount(
  db: Queryable,
  id: string,
  values: Partial<{
    name: string;
    named: true;
    email: string;
    role: Role;
    roleSince: Date;
    active: boolean;
    passwordHash: string;
    totpSecret: null;
    totpStep: null;
    appearance: Appearance;
    undoSeconds: number;
    startView: string | null;
  }>,
): Promise<void> {
  await db.update(staffAccount).set(values).where(eq(staffAccount.id, id));
}

/** Those of some roles whose accounts are in use. */
export const activeAccounts = (db: Queryable, roles: readonly Role[]): Promise<{ id: string }[]> =>
  db
    .select({ id: staffAccount.id })
    .from(staffAccount)
    .where(and(inArray(staffAccount.role, [...roles]), eq(staffAccount.active, true)));

/** Everybody who works here now, by name. */
export const activeStaff = (db: Queryable): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: staffAccount.id, name: staffAccount.name })
    .from(staffAccount)
    .where(eq(staffAccount.active, true))
    .orderBy(asc(staffAccount.name), asc(staffAccount.id));

/** The same, in memory until an account changes: every application that is opened lists them. */
const activeNow = cacheUntilChanged({ topic: 'staff_account', read: (db) => activeStaff(db) });

export const activeStaffKnown = (db: Database) => activeNow.current(db);

/** After a name was changed by this process. */
export function forgetNames(db: Database): void {
  forgetStaffNames(db);
  activeNow.invalidate(db);
}

/** Sessions that have not ended or expired, newest first. */
export async function openSessions(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<Session[]> {
  return db
    .select()
    .from(staffSession)
    .where(
      and(
        eq(staffSession.accountId, accountId),
        eq(staffSession.half, false),
        isNull(staffSession.endedAt),
        gt(staffSession.expiresAt, now),
        gt(staffSession.seenAt, new Date(now.getTime() - IDLE_MS)),
      ),
    )
    .orderBy(desc(staffSession.createdAt));
}

/** Ends sessions of an account: all, one, or all but one. Returns how many were open. */
export async function endSessions(
  db: Queryable,
  {
    accountId,
    now,
    only,
    except,
  }: { accountId: string; now: Date; only?: string; except?: string },
): Promise<number> {
  const rows = await db
    .update(staffSession)
    .set({ endedAt: now })
    .where(
      and(
        eq(staffSession.accountId, accountId),
        isNull(staffSession.endedAt),
        only === undefined ? undefined : eq(staffSession.id, only),
        except === undefined ? undefined : ne(staffSession.id, except),
      ),
    )
    .returning({ id: staffSession.id });
  return rows.length;
}

/** Ends all open links to a new password for an account. */
export async function endResetsOf(db: Queryable, accountId: string, now: Date): Promise<void> {
  await db
    .update(staffReset)
    .set({ endedAt: now })
    .where(and(eq(staffReset.accountId, accountId), isNull(staffReset.endedAt)));
}

/** Open invitations, newest first. */
export async function openInvitations(db: Queryable, now: Date): Promise<Invitation[]> {
  return db
    .select()
    .from(staffInvitation)
    .where(and(isNull(staffInvitation.endedAt), gt(staffInvitation.expiresAt, now)))
    .orderBy(desc(staffInvitation.createdAt));
}

/** The open invitation of a link, or of an address; null for none. */
export async function invitationOf(
  db: Queryable,
  which: { tokenHash: Buffer } | { email: string },
  now: Date,
): Promise<Invitation | null> {
  const [row] = await db
    .select()
    .from(staffInvitation)
    .where(
      and(
        'email' in which
          ? eq(staffInvitation.email, which.email)
          : eq(staffInvitation.tokenHash, which.tokenHash),
        isNull(staffInvitation.endedAt),
        gt(staffInvitation.expiresAt, now),
      ),
    );
  return row ?? null;
}

/** Ends an invitation by its id, or all open ones for an address; false where none was open. */
export async function endInvitation(
  db: Queryable,
  which: { id: string } | { email: string },
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(staffInvitation)
    .set({ endedAt: now })
    .where(
      and(
        'id' in which ? eq(staffInvitation.id, which.id) : eq(staffInvitation.email, which.email),
        isNull(staffInvitation.endedAt),
      ),
    )
    .returning({ id: staffInvitation.id });
  return rows.length > 0;
}

/** Replaces an account's recovery codes. */
export async function setRecoveryCodes(
  db: Queryable,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.delete(staffRecoveryCode).where(eq(staffRecoveryCode.accountId, accountId));
  if (hashes.length === 0) return;
  await db
    .insert(staffRecoveryCode)
    .values(hashes.map((codeHash) => ({ codeHash, accountId, usedAt: null })));
}

export async function countRecoveryCodes(db: Queryable, accountId: string): Promise<number> {
  return db.$count(
    staffRecoveryCode,
    and(eq(staffRecoveryCode.accountId, accountId), isNull(staffRecoveryCode.usedAt)),
  );
}
