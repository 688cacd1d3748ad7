import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { audit } from './audit.server.ts';
import { setRecoveryCodes } from './store.server.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffRecoveryCode } from './tables.server.ts';

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
    await audit(tx, {
      at: platform.now(),
      staffId: accountId,
      action: 'recovery_codes_made',
      subject: { kind: 'account', id: accountId },
    });
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
      const subject = { kind: 'account', id: accountId } as const;
      await audit(tx, { at: now, staffId: accountId, action: 'recovery_code_used', subject });
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
