import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { audit } from './audit.server.ts';
import { guessLimits } from './limits.server.ts';
import { acceptRecoveryCode } from './recovery-codes.server.ts';
import { acceptCode } from './second-factor.server.ts';
import { accountById } from './store.server.ts';

export type ProofError = 'own_factor_missing' | 'wrong_code' | 'limit';

/**
 * Checks the second factor again before an action that an unattended session must not allow. A code of the app or a
 * recovery code; wrong ones count towards the limit of signing in.
 */
export async function proveSecondFactor(
  platform: Platform,
  accountId: string,
  code: string,
): Promise<Outcome<null, ProofError>> {
  const account = await accountById(platform.db, accountId);
  if (!account?.totpSecret) return refused('own_factor_missing');
  const limit = guessLimits(platform).code;
  if (!(await limit.consume(accountId)).allowed) return refused('limit');
  const isRight =
    (await acceptCode(platform, account, code)) ||
    (await acceptRecoveryCode(platform, accountId, code));
  if (!isRight) {
    const subject = { kind: 'account', id: accountId } as const;
    await audit(platform.db, { at: platform.now(), staffId: null, action: 'code_failed', subject });
    return refused('wrong_code');
  }
  await limit.reset(accountId);
  return ok(null);
}
