import { randomInt } from 'node:crypto';
import { hashToken } from '~/platform/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { audit } from './audit.server.ts';
import { setRecoveryCodes, useRecoveryCode } from './account-store.server.ts';

const CODES = 10;
/** Crockford's letters and digits: none is taken for another. Ten of them are 50 bits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

const hashOf = (accountId: string, code: string): Buffer => hashToken(`${accountId}:${code}`);

/** As it is stored, however it was typed; null where it cannot be one. */
export function normaliseRecoveryCode(typed: string): string | null {
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

/** Makes new recovery codes in place of the old ones. They are shown once and kept as hashes. */
export async function makeRecoveryCodes(platform: Platform, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  );
  await platform.db.transaction(async (tx) => {
    await setRecoveryCodes(
      tx,
      accountId,
      codes.map((code) => hashOf(accountId, code)),
    );
    await audit(tx, {
      at: platform.now(),
      staffId: accountId,
      action: 'recovery_codes_made',
      subject: { kind: 'account', id: accountId },
    });
  });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Whether a recovery code is right and unused; it is used up by that. */
export async function acceptRecoveryCode(
  platform: Platform,
  accountId: string,
  typed: string,
): Promise<boolean> {
  const code = normaliseRecoveryCode(typed);
  if (code === null) return false;
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    const isUsed = await useRecoveryCode(tx, accountId, hashOf(accountId, code), now);
    if (isUsed) {
      const subject = { kind: 'account', id: accountId } as const;
      await audit(tx, { at: now, staffId: accountId, action: 'recovery_code_used', subject });
    }
    return isUsed;
  });
}
