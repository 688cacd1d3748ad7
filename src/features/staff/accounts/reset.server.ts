import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashPassword, hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  changeAccount,
  endResetsByAccount,
  endSessions,
  accountByEmail,
  accountById,
  activeAccount,
  lockAccounts,
  type Account,
} from '../store.server.ts';
import { changeOther, removeSecondFactor, type AccountError } from './accounts.server.ts';
import { auditAccount } from '../audit.server.ts';
import { guessLimits } from '../limits.server.ts';
import { passwordProblem } from './password-problem.server.ts';
import { usesPassword, type PasswordProblem } from '../passwords.ts';
import { normaliseEmail } from '../sign-in.server.ts';
import type { Staff } from '../staff.ts';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { staffAccount, staffReset } from '../tables.server.ts';

/** Minutes that a link works (ASVS 5.0, 6.4.4 asks for a short life). */
export const RESET_MINUTES = 60;
const RESET_MS = RESET_MINUTES * 60_000;
export const RESET_JOB = 'staff.reset';

const jobPayload = z.object({
  resetId: z.uuid(),
  askedBy: z.enum(['email', 'administrator']),
  askedAt: z.iso.datetime(),
  /** Base64 of a sealed { email, token }, as the job queue is not encrypted. */
  sealed: z.string(),
  language: z.string(),
});
const jobSecret = z.object({ email: z.string(), token: z.string() });
const contextOf = (id: string) => `${RESET_JOB}:${id}`;

type NewLink = { id: string; token: string; askedBy: Reset['askedBy']; now: Date };

const newLink = (askedBy: Reset['askedBy'], now: Date): NewLink => ({
  id: randomUUID(),
  token: randomToken(192),
  askedBy,
  now,
});

const storeLink = (tx: Transaction, accountId: string, { id, token, askedBy, now }: NewLink) =>
  insertReset(tx, {
    id,
    tokenHash: hashToken(token),
    accountId,
    askedBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + RESET_MS),
  });

function payloadOf(
  { sealer }: Pick<Platform, 'sealer'>,
  { id, token, askedBy, now }: NewLink,
  { email, language }: { email: string; language: string },
) {
  const sealed = sealer.sealJson({ email, token }, contextOf(id)).toString('base64');
  return { resetId: id, askedBy, askedAt: now.toISOString(), sealed, language };
}

type AskError = { code: 'too_many'; retryAfterSeconds: number };

/**
 * Asks for a link to a new password. A known and an unknown address cost the same work and get the same answer; the job
 * finds out which it is. Above the limit of one email address nothing is sent, with the same answer.
 */
export async function askReset(
  platform: Platform,
  typed: { email: string; address: string; language: string },
): Promise<Outcome<null, AskError>> {
  const limits = guessLimits(platform);
  const email = normaliseEmail(typed.email).slice(0, 320);
  const [perAddress, perEmail] = await Promise.all([
    limits.resetAddress.consume(typed.address),
    limits.resetEmail.consume(email),
  ]);
  if (!perAddress.allowed) {
    return refused({ code: 'too_many', retryAfterSeconds: perAddress.retryAfterSeconds });
  }
  if (!perEmail.allowed) return ok(null);
  const payload = payloadOf(platform, newLink('email', platform.now()), {
    email,
    language: typed.language,
  });
  await platform.db.transaction((tx) => enqueue(tx, RESET_JOB, payload));
  return ok(null);
}

/** Has a link sent to somebody else. The old password works until the link is used. */
export const sendReset = (
  platform: Platform,
  by: Staff,
  id: string,
  language: string,
): Promise<Outcome<null, AccountError>> =>
  changeOther(platform, by, id, async (tx, account) => {
    if (!account.active || !usesPassword(platform, account.email)) return refused('not_found');
    const link = newLink('administrator', platform.now());
    await storeLink(tx, id, link);
    await enqueue(tx, RESET_JOB, payloadOf(platform, link, { email: account.email, language }));
    return ok({ action: 'reset_sent' });
  });

export type ResetMail = { email: string; url: string; language: string; minutes: number };

/**
 * What the job `staff.reset` is to send; read by the feature that writes emails. Null where the address has no active
 * account, or one whose password is not taken. Stores the link; may run again.
 */
export async function readResetMail(
  platform: Platform,
  payload: unknown,
): Promise<ResetMail | null> {
  const { resetId, askedBy, askedAt, sealed, language } = jobPayload.parse(payload);
  const { email, token } = jobSecret.parse(
    platform.sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(resetId)),
  );
  const at = new Date(askedAt);
  const account = await platform.db.transaction(async (tx) => {
    const found = await activeAccount(tx, email);
    if (!found || !usesPassword(platform, found.email)) return null;
    if (askedBy === 'administrator') return found;
    if (await storeLink(tx, found.id, { id: resetId, token, askedBy, now: at })) {
      await auditAccount(tx, found.id, { at, by: null, action: 'reset_asked' });
    }
    return found;
  });
  if (!account) return null;
  const url = `${platform.config.publicUrl}/${language}/admin/reset/${token}`;
  return { email: account.email, url, language, minutes: RESET_MINUTES };
}

/**
 * A link for the operator of the server, where no administrator can send one. With `secondFactor` the account's second
 * factor is removed, too. Refused for an address without an active account.
 */
export async function makeResetLink(
  platform: Pick<Platform, 'db' | 'now' | 'config'>,
  typed: { email: string; secondFactor: boolean },
): Promise<Outcome<string, 'not_found' | 'deactivated' | 'no_password'>> {
  const now = platform.now();
  const link = newLink('command', now);
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const account = await accountByEmail(tx, normaliseEmail(typed.email));
    if (!account) return refused('not_found');
    if (!account.active) return refused('deactivated');
    if (!usesPassword(platform, account.email)) return refused('no_password');
    await storeLink(tx, account.id, link);
    const entry = { at: now, by: null };
    await auditAccount(tx, account.id, { ...entry, action: 'reset_link_made' });
    if (typed.secondFactor) {
      await removeSecondFactor(tx, account.id, now);
      const detail = { reason: 'command' };
      await auditAccount(tx, account.id, { ...entry, action: 'second_factor_reset', detail });
    }
    return ok(`${platform.config.publicUrl}/admin/reset/${link.token}`);
  });
}

/** The account of a link; null for an unknown, used or expired one. */
export async function readReset(
  platform: Platform,
  token: string,
): Promise<{ email: string; name: string } | null> {
  const found = await openReset(platform.db, hashToken(token), platform.now());
  return found && { email: found.account.email, name: found.account.name };
}

type ResetError = 'reset_over' | PasswordProblem;

/**
 * Sets the password chosen by a link, once. All sessions and other links of the account end; it does not sign in, so
 * that the second factor is asked for as always.
 */
export async function resetPassword(
  platform: Platform,
  token: string,
  password: string,
): Promise<Outcome<null, ResetError>> {
  const found = await openReset(platform.db, hashToken(token), platform.now());
  if (!found || !usesPassword(platform, found.account.email)) return refused('reset_over');
  const { account, reset } = found;
  const problem = await passwordProblem(password, account);
  if (problem) return refused(problem);
  const passwordHash = await hashPassword(password);
  const now = platform.now();
  const outcome = await platform.db.transaction(async (tx): Promise<Outcome<null, ResetError>> => {
    await lockAccounts(tx);
    const held = await accountById(tx, account.id);
    if (!held?.active || !(await endReset(tx, reset.id, now))) return refused('reset_over');
    await changeAccount(tx, account.id, { passwordHash });
    await endResetsByAccount(tx, account.id, now);
    const sessions = await endSessions(tx, { accountId: account.id, now });
    await auditAccount(tx, account.id, {
      at: now,
      action: 'password_reset',
      detail: { asked_by: reset.askedBy, sessions },
    });
    return ok(null);
  });
  if (outcome.ok) await guessLimits(platform).account.reset(account.email);
  return outcome;
}

type Reset = typeof staffReset.$inferSelect;

/** Stores a link unless it is stored already; returns whether it was new. */
async function insertReset(db: Queryable, row: typeof staffReset.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(staffReset)
    .values(row)
    .onConflictDoNothing({ target: staffReset.id })
    .returning({ id: staffReset.id });
  return rows.length === 1;
}

/** A valid link with its account; null for an unknown, used or expired one and for a deactivated account. */
async function openReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<{ reset: Reset; account: Account } | null> {
  const [row] = await db
    .select({ reset: staffReset, account: staffAccount })
    .from(staffReset)
    .innerJoin(staffAccount, eq(staffAccount.id, staffReset.accountId))
    .where(
      and(
        eq(staffReset.tokenHash, tokenHash),
        isNull(staffReset.endedAt),
        gt(staffReset.expiresAt, now),
        eq(staffAccount.active, true),
      ),
    );
  return row ?? null;
}

/** Consumes a link; false where it was used before. */
async function endReset(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(staffReset)
    .set({ endedAt: now })
    .where(and(eq(staffReset.id, id), isNull(staffReset.endedAt)))
    .returning({ id: staffReset.id });
  return rows.length === 1;
}
