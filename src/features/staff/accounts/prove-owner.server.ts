import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { verifyPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { guessLimits } from '../limits.server.ts';
import { LONGEST_PASSWORD } from '../password-rules.ts';
import { proveSecondFactor } from '../prove-second-factor.server.ts';
import { sessionOf } from '../session.server.ts';
import { setProved } from '../store.server.ts';

export type OwnerError = 'signed_out' | 'wrong_code' | 'wrong_password' | 'limit';

/**
 * Proves that whoever uses this session is its owner, before one action that an unattended browser must not allow: by a
 * code of the second factor, or by the password where there is none. Holds for `PROOF_MS`.
 */
export async function proveOwner(
  platform: Platform,
  request: Request,
  typed: { code: string; password: string },
): Promise<Outcome<null, OwnerError>> {
  const found = await sessionOf(platform, request);
  if (!found || found.session.half) return refused('signed_out');
  const { account, session } = found;
  if (account.totpSecret) {
    const proof = { sessionId: null, code: typed.code };
    const proved = await proveSecondFactor(platform, account.id, proof);
    if (!proved.ok) return refused(proved.error === 'limit' ? 'limit' : 'wrong_code');
  } else {
    const limit = guessLimits(platform).password;
    if (!(await limit.consume(account.id)).allowed) return refused('limit');
    const isRight =
      typed.password.length <= LONGEST_PASSWORD &&
      (await verifyPassword(typed.password, account.passwordHash));
    if (!isRight) return refused('wrong_password');
    await limit.reset(account.id);
  }
  const by = account.totpSecret ? 'factor' : 'password';
  await setProved(platform.db, session.id, { at: platform.now(), by });
  return ok(null);
}
