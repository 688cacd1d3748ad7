import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { hashPassword, verifyPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { changeAccount, endSessions } from '../store.server.ts';
import { audit } from '../audit.server.ts';
import { guessLimits } from '../limits.server.ts';
import { passwordProblem } from './password-problem.server.ts';
import { LONGEST_PASSWORD, type PasswordProblem } from '../passwords.ts';
import { sessionOf } from '../session.server.ts';

export type PasswordError = 'signed_out' | 'wrong_password' | 'limit' | PasswordProblem;

/** Changes one's own password, given the old one. All other sessions end. */
export async function changePassword(
  platform: Platform,
  request: Request,
  typed: { current: string; next: string },
): Promise<Outcome<null, PasswordError>> {
  const found = await sessionOf(platform, request);
  if (!found || found.session.half) return refused('signed_out');
  const { account, session } = found;
  const limit = guessLimits(platform).password;
  const { allowed } = await limit.consume(account.id);
  if (!allowed) return refused('limit');
  const isRight =
    typed.current.length <= LONGEST_PASSWORD &&
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
    const subject = { kind: 'account', id: account.id } as const;
    await audit(tx, { at: now, staffId: account.id, action: 'password_changed', subject });
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
    const subject = { kind: 'account', id: accountId } as const;
    await audit(tx, { at: now, staffId: accountId, action: 'sessions_ended', subject });
    return true;
  });
}

/** Ends all of one's own sessions, this one included. */
export async function endAllOwnSessions(platform: Platform, accountId: string): Promise<void> {
  const now = platform.now();
  await platform.db.transaction(async (tx) => {
    const sessions = await endSessions(tx, { accountId, now });
    const subject = { kind: 'account', id: accountId } as const;
    const detail = { sessions };
    await audit(tx, { at: now, staffId: accountId, action: 'sessions_ended', subject, detail });
  });
}
