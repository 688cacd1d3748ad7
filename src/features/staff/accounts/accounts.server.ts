import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  changeAccount,
  endSessions,
  setRecoveryCodes,
  accountById,
  lockAccounts,
  type Account,
} from '../store.server.ts';
import { auditAccount, type AuditAction } from '../audit.server.ts';
import { proveSecondFactor, type Proof } from '../second-factor.server.ts';
import { may, type Role } from '../roles.ts';
import { hasPassword, MAX_PASSWORD_LENGTH, type PasswordProblem } from '../passwords.ts';
import type { Staff } from '../staff.ts';
import { and, count, eq, ne } from 'drizzle-orm';
import { staffAccount, staffPasskey } from '../tables.server.ts';
import { hashPassword, verifyPassword } from '~/platform/crypto/crypto.server.ts';
import { guessLimits } from '../limits.server.ts';
import { passwordProblem } from './password-problem.server.ts';
import { requestSession } from '../session.server.ts';

/**
 * `own_account`: nobody changes their own rights. `last_administrator`: one must remain. `role_elsewhere`: the identity
 * provider gives the role, and would give it again at the next sign-in.
 */
export type AccountError =
  | 'forbidden'
  | 'not_found'
  | 'own_account'
  | 'last_administrator'
  | 'role_elsewhere';

/** Hours after which an administrator may confirm what two of them decide. */
const NEW_ADMINISTRATOR_HOURS = 24;

/**
 * Whether an account has had its role for too short a time to be the second of two who decide: otherwise one person who
 * invites themselves would be both.
 */
export async function isNewAdministrator(db: Queryable, id: string, now: Date): Promise<boolean> {
  const account = await accountById(db, id);
  const since = account && (account.roleSince ?? account.createdAt);
  return !since || now.getTime() - since.getTime() < NEW_ADMINISTRATOR_HOURS * 3600_000;
}

type Detail = Record<string, string | number | boolean | null>;

/** Changes somebody else's account under the accounts' lock, with an audit entry. */
export async function changeOther<E = never>(
  platform: Platform,
  by: Staff,
  id: string,
  work: (
    tx: Transaction,
    account: Account,
  ) => Promise<Outcome<{ action: AuditAction; detail?: Detail }, AccountError | E>>,
): Promise<Outcome<null, AccountError | E>> {
  if (!may(by.role, 'administer')) return refused('forbidden');
  if (by.id === id) return refused('own_account');
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    // Their own rights may have ended in the meantime.
    const asking = await accountById(tx, by.id);
    if (!asking?.active || !may(asking.role, 'administer')) return refused('forbidden');
    const account = isUuid(id) ? await accountById(tx, id) : null;
    if (!account) return refused('not_found');
    const done = await work(tx, account);
    if (!done.ok) return done;
    const { action, detail } = done.value;
    await auditAccount(tx, id, { at: platform.now(), by: by.id, action, detail });
    return ok(null);
  });
}

const isLastAdministrator = async (tx: Transaction, { id, role, active }: Account) =>
  role === 'administrator' && active && (await countAdministrators(tx, id)) === 0;

/** Changes the role from the next request on; sessions stay. */
export const changeRole = (platform: Platform, by: Staff, id: string, role: Role) =>
  changeOther(platform, by, id, async (tx, account) => {
    if (platform.config.singleSignOn && !hasPassword(platform, account)) {
      return refused('role_elsewhere');
    }
    if (role !== 'administrator' && (await isLastAdministrator(tx, account))) {
      return refused('last_administrator');
    }
    await changeAccount(tx, id, { role, roleSince: platform.now() });
    return ok({ action: 'role_changed', detail: { from: account.role, to: role } });
  });

/** A deactivated account cannot sign in, and its sessions end at once. Its audit entries stay. */
export const setActive = (platform: Platform, by: Staff, id: string, active: boolean) =>
  changeOther(platform, by, id, async (tx, account) => {
    if (!active && (await isLastAdministrator(tx, account))) return refused('last_administrator');
    await changeAccount(tx, id, { active, ...(active && { roleSince: platform.now() }) });
    if (!active) await endSessions(tx, { accountId: id, now: platform.now() });
    return ok({ action: active ? 'account_reactivated' : 'account_deactivated' });
  });

/** Removes second factor, passkeys and recovery codes, and ends the sessions opened with them. */
export async function removeSecondFactor(
  tx: Transaction,
  accountId: string,
  now: Date,
): Promise<void> {
  await changeAccount(tx, accountId, { totpSecret: null, totpStep: null });
  await setRecoveryCodes(tx, accountId, []);
  await deletePasskeysOf(tx, accountId);
  await endSessions(tx, { accountId, now });
}

/** Why a second factor is removed; a code, because the audit trail takes no free text. */
export const factorReasons = ['lost', 'replaced', 'stolen', 'broken'] as const;
type FactorReason = (typeof factorReasons)[number];

/**
 * `own_factor_missing`, `wrong_code`, `limit`: about the administrator who asks. `reason_required`: no reason of the
 * list was chosen. `no_factor`: there is none to remove.
 */
type FactorError =
  | AccountError
  | 'own_factor_missing'
  | 'wrong_code'
  | 'limit'
  | 'reason_required'
  | 'no_factor';

/**
 * Removes the second factor of somebody who lost phone and recovery codes: the next sign-in asks for the password
 * alone. The administrator proves their own second factor and gives a reason, so that an unattended session cannot be
 * used for it.
 */
export async function resetSecondFactor(
  platform: Platform,
  by: Staff,
  id: string,
  { reason, ...proof }: Proof & { reason: FactorReason | undefined },
): Promise<Outcome<null, FactorError>> {
  if (!may(by.role, 'administer')) return refused('forbidden');
  if (by.id === id) return refused('own_account');
  if (!reason) return refused('reason_required');
  const own = await proveSecondFactor(platform, by.id, proof);
  if (!own.ok) return own;
  return changeOther<FactorError>(platform, by, id, async (tx, account) => {
    if (!account.totpSecret) return refused('no_factor');
    await removeSecondFactor(tx, id, platform.now());
    return ok({ action: 'second_factor_reset', detail: { reason } });
  });
}

export const endAllSessions = (platform: Platform, by: Staff, id: string) =>
  changeOther(platform, by, id, async (tx) => {
    const sessions = await endSessions(tx, { accountId: id, now: platform.now() });
    return ok({ action: 'sessions_ended', detail: { sessions } });
  });

async function countAdministrators(db: Queryable, except: string): Promise<number> {
  const [row] = await db
    .select({ others: count() })
    .from(staffAccount)
    .where(
      and(
        eq(staffAccount.role, 'administrator'),
        eq(staffAccount.active, true),
        ne(staffAccount.id, except),
      ),
    );
  return row?.others ?? 0;
}

async function deletePasskeysOf(db: Queryable, accountId: string): Promise<void> {
  await db.delete(staffPasskey).where(eq(staffPasskey.accountId, accountId));
}

export type PasswordError = 'signed_out' | 'wrong_password' | 'limit' | PasswordProblem;

/** Changes one's own password, given the old one. All other sessions end. */
export async function changePassword(
  platform: Platform,
  request: Request,
  typed: { current: string; next: string },
): Promise<Outcome<null, PasswordError>> {
  const found = await requestSession(platform, request);
  if (!found || found.session.half) return refused('signed_out');
  const { account, session } = found;
  const limit = guessLimits(platform).password;
  const { allowed } = await limit.consume(account.id);
  if (!allowed) return refused('limit');
  const isRight =
    typed.current.length <= MAX_PASSWORD_LENGTH &&
    (await verifyPassword(typed.current, account.passwordHash));
  if (!isRight) return refused('wrong_password');
  await limit.reset(account.id);
  const problem = await passwordProblem(typed.next, account);
  if (problem) return refused(problem);
  const passwordHash = await hashPassword(typed.next);
  const now = platform.now();
  await platform.db.transaction(async (tx) => {
    await changeAccount(tx, account.id, { passwordHash });
    await endSessions(tx, { accountId: account.id, now, except: session.id });
    await auditAccount(tx, account.id, { at: now, action: 'password_changed' });
  });
  return ok(null);
}

/** Ends one of one's own sessions; false for an unknown id. */
export async function endOwnSession(
  platform: Platform,
  accountId: string,
  sessionId: string,
): Promise<boolean> {
  // The database only accepts valid ids.
  if (!isUuid(sessionId)) return false;
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    const ended = await endSessions(tx, { accountId, now, only: sessionId });
    if (ended === 0) return false;
    await auditAccount(tx, accountId, { at: now, action: 'sessions_ended' });
    return true;
  });
}

/** Ends all of one's own sessions, this one included. */
export async function endAllOwnSessions(platform: Platform, accountId: string): Promise<void> {
  const now = platform.now();
  await platform.db.transaction(async (tx) => {
    const sessions = await endSessions(tx, { accountId, now });
    const detail = { sessions };
    await auditAccount(tx, accountId, { at: now, action: 'sessions_ended', detail });
  });
}
