import { and, eq, gt, inArray, isNull, lt, sql, asc, desc, ne } from 'drizzle-orm';
import type { AuditAction, AuditSubject } from './audit-words.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable, Transaction, Database } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import {
  isFresh,
  readMark,
  type ReadMark,
  cacheUntilChanged,
} from '~/platform/postgres/invalidations.server.ts';
import {
  auditEntry,
  staffAccount,
  staffSession,
  staffInvitation,
  staffRecoveryCode,
  staffReset,
} from './tables.server.ts';
import { IDLE_MS } from './staff.ts';
import type { Role } from './roles.ts';

export type Account = typeof staffAccount.$inferSelect;
export type Session = typeof staffSession.$inferSelect;
export type AuditEntry = typeof auditEntry.$inferSelect;

/** Locked until the transaction ends, so that processes that start together create one first administrator. */
export async function lockAccounts(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('staff_account', 0))`);
}

export async function hasAccounts(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: staffAccount.id }).from(staffAccount).limit(1);
  return rows.length > 0;
}

export async function insertAccount(db: Queryable, row: typeof staffAccount.$inferInsert) {
  await db.insert(staffAccount).values(row);
}

export async function activeAccount(db: Queryable, email: string): Promise<Account | null> {
  const [row] = await db
    .select()
    .from(staffAccount)
    .where(and(eq(staffAccount.email, email), eq(staffAccount.active, true)));
  return row ?? null;
}

/** Deactivated accounts included. */
export async function accountByEmail(db: Queryable, email: string): Promise<Account | null> {
  const [row] = await db.select().from(staffAccount).where(eq(staffAccount.email, email));
  return row ?? null;
}

export async function accountById(db: Queryable, id: string): Promise<Account | null> {
  const [row] = await db.select().from(staffAccount).where(eq(staffAccount.id, id));
  return row ?? null;
}

/**
 * The account, locked until the transaction ends, so that opening a session and deactivating or changing the password
 * happen one after the other.
 */
export async function lockAccount(tx: Transaction, id: string): Promise<Account | null> {
  const [row] = await tx.select().from(staffAccount).where(eq(staffAccount.id, id)).for('share');
  return row ?? null;
}

/** Names in memory until an account changes; accounts are never deleted. */
const names = new WeakMap<Queryable, { read: ReadMark; known: Map<string, string> }>();

/** After a change by this process: the next reading asks the database, without waiting for the notification. */
const forgetStaffNames = (db: Queryable): void => void names.delete(db);

/** Names of staff by id, for timelines and "who was first". */
export async function staffNames(db: Queryable, ids: string[]): Promise<Map<string, string>> {
  let cached = names.get(db);
  if (!cached || !isFresh(db, 'staff_account', cached.read)) {
    names.set(db, (cached = { read: readMark(db, 'staff_account'), known: new Map() }));
  }
  const { known } = cached;
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const rows = await db
      .select({ id: staffAccount.id, name: staffAccount.name })
      .from(staffAccount)
      .where(inArray(staffAccount.id, unknown));
    for (const { id, name } of rows) known.set(id, name);
  }
  return new Map(
    ids.flatMap((id) => {
      const name = known.get(id);
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}

export async function insertSession(db: Queryable, row: typeof staffSession.$inferInsert) {
  await db.insert(staffSession).values(row);
}

const liveSessions = prepareOnce((db) =>
  db
    .select({ session: staffSession, account: staffAccount })
    .from(staffSession)
    .innerJoin(staffAccount, eq(staffAccount.id, staffSession.accountId))
    .where(
      and(
        eq(staffSession.tokenHash, sql.placeholder('tokenHash')),
        isNull(staffSession.endedAt),
        gt(staffSession.expiresAt, sql.placeholder('now')),
        gt(staffSession.seenAt, sql.placeholder('seenAfter')),
        eq(staffAccount.active, true),
      ),
    )
    .prepare(UNNAMED),
);

/** A session that has neither ended nor expired, with its account. */
export async function liveSession(
  db: Queryable,
  tokenHash: Buffer,
  { now, seenAfter }: { now: Date; seenAfter: Date },
): Promise<{ session: Session; account: Account } | null> {
  const [row] = await liveSessions(db).execute({ tokenHash, now, seenAfter });
  return row ?? null;
}

export async function markSeen(db: Queryable, id: string, now: Date): Promise<void> {
  await db
    .update(staffSession)
    .set({ seenAt: now })
    .where(and(eq(staffSession.id, id), lt(staffSession.seenAt, now)));
}

/** Returns the ended session, or null when there was none to end. */
export async function endSession(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Session | null> {
  const [row] = await db
    .update(staffSession)
    .set({ endedAt: now })
    .where(and(eq(staffSession.tokenHash, tokenHash), isNull(staffSession.endedAt)))
    .returning();
  return row ?? null;
}

type NewAuditEntry = Required<Omit<typeof auditEntry.$inferInsert, 'id'>>;

const auditInsert = prepareOnce((db) =>
  db
    .insert(auditEntry)
    .values({
      at: sql.placeholder('at'),
      staffId: sql.placeholder('staffId'),
      action: sql.placeholder('action'),
      subjectKind: sql.placeholder('subjectKind'),
      subjectId: sql.placeholder('subjectId'),
      detail: sql.placeholder('detail'),
    })
    .prepare(UNNAMED),
);

export async function insertAudit(db: Queryable, row: NewAuditEntry): Promise<void> {
  await auditInsert(db).execute(row);
}

export async function insertAudits(db: Queryable, rows: readonly NewAuditEntry[]): Promise<void> {
  if (rows.length > 0) await db.insert(auditEntry).values([...rows]);
}

export async function auditEntriesBySubject(
  db: Queryable,
  subject: { kind: string; id: string },
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(auditEntry)
    .where(and(eq(auditEntry.subjectKind, subject.kind), eq(auditEntry.subjectId, subject.id)))
    .orderBy(auditEntry.id);
}

/** Some kinds of actions on one subject, oldest first. */
export async function auditEntriesByActions(
  db: Queryable,
  subject: { kind: AuditSubject; id: string },
  actions: readonly AuditAction[],
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.subjectKind, subject.kind),
        eq(auditEntry.subjectId, subject.id),
        inArray(auditEntry.action, [...actions]),
      ),
    )
    .orderBy(auditEntry.id);
}

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

export const cachedActiveStaff = (db: Database) => activeNow.current(db);

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
export async function endResetsByAccount(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<void> {
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
export async function findInvitation(
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
