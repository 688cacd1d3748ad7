import { tidyEmail } from '~/base/email-address.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashToken, verifyPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { auditAccount } from './audit.server.ts';
import { deviceName, knownDevice } from './known-device.server.ts';
import { guessLimits } from './limits.server.ts';
import { usesPassword, MAX_PASSWORD_LENGTH } from './passwords.ts';
import type { Limiter } from '~/platform/http/rate-limit.server.ts';
import { auditRefusedSignIn } from './refused-access.server.ts';
import { acceptRecoveryCode, acceptCode } from './second-factor.server.ts';
import { openSession, requestSession, sessionToken } from './session.server.ts';
import { activeAccount, endSession, lockAccount } from './store.server.ts';

type SignInError =
  | { code: 'wrong_password' | 'wrong_code' | 'signed_out' }
  /** Too many wrong passwords; the right one is refused as well until then. */
  | { code: 'too_many'; retryAfterSeconds: number };

export type OpenedSignIn = { token: string; half: boolean; accountId: string };

export const normaliseEmail = (typed: string): string => tidyEmail(typed).toLowerCase();

/**
 * Counts one try: on a known device towards that device's limit, otherwise towards those of the address, of the account
 * from this address, and of the account from everywhere, one after the other: what one address is refused does not use
 * up the account's tries from elsewhere. Unknown email addresses are counted in the same way.
 */
async function countGuess(
  platform: Platform,
  { email, address, device }: { email: string; address: string; device: string | null },
): Promise<{ waitSeconds: number; reset: () => Promise<unknown> }> {
  const limits = guessLimits(platform);
  const pair = `${email}\n${address}`;
  const counted: [Limiter, string][] =
    device === null
      ? [
          [limits.pair, pair],
          [limits.account, email],
        ]
      : [[limits.device, device]];
  const reset = () => Promise.all(counted.map(([limiter, key]) => limiter.reset(key)));
  for (const [limiter, key] of [[limits.address, address] as const, ...counted]) {
    const { allowed, retryAfterSeconds } = await limiter.consume(key);
    if (!allowed) return { waitSeconds: retryAfterSeconds, reset };
  }
  return { waitSeconds: 0, reset };
}

/**
 * Checks email and password and opens a session, which needs the second factor where it is set up. An unknown address
 * costs the same time and counts towards the same limits as a known one.
 */
export async function signIn(
  platform: Platform,
  request: Request,
  typed: { email: string; password: string; address: string },
): Promise<Outcome<OpenedSignIn, SignInError>> {
  const { db } = platform;
  const now = platform.now();
  const email = normaliseEmail(typed.email);
  const account = await activeAccount(db, email);
  const device = account && knownDevice(platform, request, account.id);
  const guess = await countGuess(platform, { email, address: typed.address, device });
  if (guess.waitSeconds > 0) {
    await auditRefusedSignIn(platform, 'sign_in_blocked', account?.id ?? null);
    return refused({ code: 'too_many', retryAfterSeconds: guess.waitSeconds });
  }
  const fits = await verifyPassword(
    typed.password.slice(0, MAX_PASSWORD_LENGTH),
    account?.passwordHash,
  );
  const refuse = async () => {
    await auditRefusedSignIn(platform, 'sign_in_failed', account?.id ?? null);
    return refused({ code: 'wrong_password' } as const);
  };
  // Refused in the same words and time as a wrong password, so that nobody learns whose is taken.
  if (!fits || !account || !usesPassword(platform, email)) return refuse();
  if (typed.password.length > MAX_PASSWORD_LENGTH) return refuse();
  const previous = sessionToken(platform, request);
  const opened = await db.transaction(async (tx): Promise<OpenedSignIn | null> => {
    const held = await lockAccount(tx, account.id);
    // Deactivated, or the password changed, while this one was being checked.
    if (!held?.active || held.passwordHash !== account.passwordHash) return null;
    const half = held.totpSecret !== null;
    if (previous) await endSession(tx, hashToken(previous), now);
    if (!half) {
      await auditAccount(tx, account.id, { at: now, action: 'signed_in' });
    }
    const session = { accountId: account.id, half, now, device: deviceName(request) };
    return { token: await openSession(tx, session), half, accountId: account.id };
  });
  if (!opened) return refuse();
  await guess.reset();
  return ok(opened);
}

/** The second step: a code of the app, or a recovery code, replaces the session by a complete one with a new id. */
export async function confirmSignIn(
  platform: Platform,
  request: Request,
  code: string,
): Promise<Outcome<OpenedSignIn, SignInError>> {
  const now = platform.now();
  const found = await requestSession(platform, request);
  if (!found?.session.half) return refused({ code: 'signed_out' });
  const { account, session } = found;
  const limit = guessLimits(platform).code;
  const { allowed, retryAfterSeconds } = await limit.consume(account.id);
  if (!allowed) {
    await endSession(platform.db, session.tokenHash, now);
    await auditRefusedSignIn(platform, 'sign_in_blocked', account.id);
    return refused({ code: 'too_many', retryAfterSeconds });
  }
  const isRight =
    (await acceptCode(platform, account, code)) ||
    (await acceptRecoveryCode(platform, account.id, code));
  if (!isRight) {
    await auditRefusedSignIn(platform, 'code_failed', account.id);
    return refused({ code: 'wrong_code' });
  }
  await limit.reset(account.id);
  const token = await platform.db.transaction(async (tx) => {
    const held = await lockAccount(tx, account.id);
    if (!held?.active) return null;
    // Of two browsers with the same incomplete session only one succeeds.
    const ended = await endSession(tx, session.tokenHash, now);
    if (!ended) return null;
    await auditAccount(tx, account.id, { at: now, action: 'signed_in' });
    return openSession(tx, {
      accountId: account.id,
      half: false,
      now,
      device: deviceName(request),
      method: session.method,
    });
  });
  return token
    ? ok({ token, half: false, accountId: account.id })
    : refused({ code: 'signed_out' });
}
