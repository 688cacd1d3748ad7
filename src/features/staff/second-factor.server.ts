import { Secret, TOTP } from 'otpauth';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { UnsealError } from '~/platform/crypto/seal.server.ts';
import {
  endSessions,
  type Account,
  type Session,
  accountById,
  setRecoveryCodes,
} from './store.server.ts';
import { auditAccount } from './audit.server.ts';
import { openSession } from './session.server.ts';
import { type Staff, PROOF_MS } from './staff.ts';
import { auditRefusedSignIn } from './refused-access.server.ts';
import { guessLimits } from './limits.server.ts';
import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '~/platform/crypto/crypto.server.ts';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffAccount, staffRecoveryCode, staffSession } from './tables.server.ts';

const CODES = 10;
/**
 * Crockford's letters and digits, which cannot be confused. Ten of them are 45 bits besides the first, hashed like a
 * password.
 */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/** The stored form: the first letter, which differs between an account's codes, then the hash as a PHC string. */
const stored = async (code: string): Promise<Buffer> =>
  Buffer.from(`${code.charAt(0)}${await hashPassword(code)}`, 'latin1');

/** The stored hash of a code; null where it has none. Computes one hash at most, which is slow. */
async function hashOf(code: string, hashes: readonly Buffer[]): Promise<Buffer | null> {
  const named = hashes.find((hash) => hash.toString('latin1').startsWith(`${code.charAt(0)}$`));
  if (!named) return null;
  return (await verifyPassword(code, named.toString('latin1', 1))) ? named : null;
}

/** Letters in random order (Fisher and Yates), so that the codes begin with different ones. */
function shuffledLetters(): string[] {
  const letters = Array.from(LETTERS);
  for (let last = letters.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    const [a = '', b = ''] = [letters[last], letters[other]];
    letters[last] = b;
    letters[other] = a;
  }
  return letters;
}

/** A typed code in its stored spelling; null where it cannot be one. */
function normaliseRecoveryCode(typed: string): string | null {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return code.length === LENGTH && Array.from(code).every((letter) => LETTERS.includes(letter))
    ? code
    : null;
}

/** Makes new recovery codes in place of the old ones. They are shown once and stored as hashes. */
export async function makeRecoveryCodes(platform: Platform, accountId: string): Promise<string[]> {
  const codes = shuffledLetters()
    .slice(0, CODES)
    .map((first) =>
      Array.from({ length: LENGTH - 1 }, () => LETTERS[randomInt(LETTERS.length)]).reduce(
        (code: string, letter = '') => code + letter,
        first,
      ),
    );
  const hashes: Buffer[] = [];
  // One after another: hashing takes 19 MiB each.
  for (const code of codes) hashes.push(await stored(code));
  await platform.db.transaction(async (tx) => {
    await setRecoveryCodes(tx, accountId, hashes);
    await auditAccount(tx, accountId, { at: platform.now(), action: 'recovery_codes_made' });
  });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Whether a recovery code is right and unused; it is consumed. */
export async function acceptRecoveryCode(
  platform: Platform,
  accountId: string,
  typed: string,
): Promise<boolean> {
  const code = normaliseRecoveryCode(typed);
  if (code === null) return false;
  const hash = await hashOf(code, await unusedRecoveryCodes(platform.db, accountId));
  if (!hash) return false;
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    const isUsed = await consumeRecoveryCode(tx, accountId, hash, now);
    if (isUsed) {
      await auditAccount(tx, accountId, { at: now, action: 'recovery_code_used' });
    }
    return isUsed;
  });
}

/** Hashes of an account's unused recovery codes. */
export async function unusedRecoveryCodes(db: Queryable, accountId: string): Promise<Buffer[]> {
  const rows = await db
    .select({ codeHash: staffRecoveryCode.codeHash })
    .from(staffRecoveryCode)
    .where(and(eq(staffRecoveryCode.accountId, accountId), isNull(staffRecoveryCode.usedAt)));
  return rows.map(({ codeHash }) => codeHash);
}

/** Consumes a recovery code; false for a wrong or used one. */
async function consumeRecoveryCode(
  db: Queryable,
  accountId: string,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(staffRecoveryCode)
    .set({ usedAt: now })
    .where(
      and(
        eq(staffRecoveryCode.accountId, accountId),
        eq(staffRecoveryCode.codeHash, codeHash),
        isNull(staffRecoveryCode.usedAt),
      ),
    )
    .returning({ accountId: staffRecoveryCode.accountId });
  return rows.length === 1;
}

const PERIOD_S = 30;
const SECRET_BYTES = 20;

const context = (accountId: string) => `staff_account.totp_secret:${accountId}`;

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const totpFor = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Lale', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_S });

/** The time step of a code, allowing one step of clock difference either way; null for a wrong code. */
function stepOf(secret: Secret, typed: string, now: Date): number | null {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpFor(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}

/** Whether a code is right and unused: each works once, also for two who send it at the same moment. */
export async function acceptCode(
  platform: Platform,
  account: Account,
  code: string,
): Promise<boolean> {
  if (!account.totpSecret) return false;
  const secret = new Secret({
    buffer: bufferOf(platform.sealer.unseal(account.totpSecret, context(account.id))),
  });
  const step = stepOf(secret, code, platform.now());
  return step !== null && consumeTotpStep(platform.db, account.id, step);
}

/** Consumes a code's time step; false when this or a later one was used before. */
async function consumeTotpStep(db: Queryable, id: string, step: number): Promise<boolean> {
  const rows = await db
    .update(staffAccount)
    .set({ totpStep: step })
    .where(
      and(
        eq(staffAccount.id, id),
        or(isNull(staffAccount.totpStep), lt(staffAccount.totpStep, step)),
      ),
    )
    .returning({ id: staffAccount.id });
  return rows.length === 1;
}

/** otpauth needs an `ArrayBuffer` of its own; a Node buffer may be a view into a shared one. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

type Enrolment = {
  /** Base 32, to type into the app. */
  secret: string;
  /** `otpauth://…`, to open in the app. */
  uri: string;
  /** The sealed secret, sent back with the first code, so that nothing is stored before. */
  sealed: string;
};

export function beginEnrolment(platform: Platform, staff: Staff): Enrolment {
  const secret = new Secret({ size: SECRET_BYTES });
  return describe(platform, staff, secret);
}

function describe(platform: Platform, staff: Staff, secret: Secret): Enrolment {
  return {
    secret: secret.base32,
    uri: totpFor(secret, staff.email).toString(),
    sealed: platform.sealer.seal(secret.bytes, context(staff.id)).toString('base64url'),
  };
}

/** The same enrolment again, after a wrong code; a new one where `sealed` is not valid. */
export function resumeEnrolment(platform: Platform, staff: Staff, sealed: string): Enrolment {
  const secret = openSealed(platform, staff, sealed);
  return secret ? describe(platform, staff, secret) : beginEnrolment(platform, staff);
}

/**
 * Sets up the second factor once a code proves that the app has the secret. All other sessions
 * end; returns the token of a new one.
 */
export async function completeEnrolment(
  platform: Platform,
  staff: Staff,
  {
    sealed,
    code,
    device = null,
    opened,
  }: {
    sealed: string;
    code: string;
    device?: string | null;
    /** How the session was opened that is replaced; by the password where left out. */
    opened?: Pick<Session, 'method' | 'provedFactor'>;
  },
): Promise<Outcome<string, { code: 'wrong_code' | 'already_set_up' }>> {
  const now = platform.now();
  const secret = openSealed(platform, staff, sealed);
  const step = secret ? stepOf(secret, code, now) : null;
  if (!secret || step === null) return refused({ code: 'wrong_code' });
  const stored = platform.sealer.seal(secret.bytes, context(staff.id));
  return platform.db.transaction(async (tx) => {
    const set = await tx
      .update(staffAccount)
      .set({ totpSecret: stored, totpStep: step })
      .where(and(eq(staffAccount.id, staff.id), isNull(staffAccount.totpSecret)))
      .returning({ id: staffAccount.id });
    if (set.length === 0) return refused({ code: 'already_set_up' });
    await auditAccount(tx, staff.id, { at: now, action: 'second_factor_set_up' });
    await endSessions(tx, { accountId: staff.id, now });
    const { method, provedFactor } = opened ?? {};
    const session = { accountId: staff.id, half: false, now, device };
    return ok(await openSession(tx, { ...session, method, provedFactor }));
  });
}

function openSealed(platform: Platform, staff: Staff, sealed: string): Secret | null {
  try {
    const bytes = platform.sealer.unseal(Buffer.from(sealed, 'base64url'), context(staff.id));
    return new Secret({ buffer: bufferOf(bytes) });
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

export type ProofError = 'own_factor_missing' | 'wrong_code' | 'limit';

/** How its owner proves an account: in this session, or with what they type. */
export type Proof = {
  /** The session in which they may have signed in at the identity provider again; null where there is none. */
  sessionId: string | null;
  /** A code of the app, or a recovery code. */
  code: string;
};

/**
 * Checks the second factor again before an action that an unattended session must not allow: a code, or, where none was
 * typed, a proof that this session has from the identity provider, which counts once. Wrong codes count towards the
 * limit of signing in.
 */
export async function proveSecondFactor(
  platform: Platform,
  accountId: string,
  { sessionId, code }: Proof,
): Promise<Outcome<null, ProofError>> {
  if (sessionId !== null && code.trim() === '') {
    // A proof allows one action.
    const spent = await platform.db
      .update(staffSession)
      .set({ provedAt: null })
      .where(
        and(
          eq(staffSession.id, sessionId),
          isNull(staffSession.endedAt),
          gt(staffSession.provedAt, new Date(platform.now().getTime() - PROOF_MS)),
        ),
      )
      .returning({ id: staffSession.id });
    if (spent.length === 1) return ok(null);
  }
  const account = await accountById(platform.db, accountId);
  if (!account?.totpSecret) return refused('own_factor_missing');
  const limit = guessLimits(platform).code;
  if (!(await limit.consume(accountId)).allowed) return refused('limit');
  const isRight =
    (await acceptCode(platform, account, code)) ||
    (await acceptRecoveryCode(platform, accountId, code));
  if (!isRight) {
    await auditRefusedSignIn(platform, 'code_failed', accountId);
    return refused('wrong_code');
  }
  await limit.reset(accountId);
  return ok(null);
}
