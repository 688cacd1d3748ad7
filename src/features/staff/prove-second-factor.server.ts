import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { auditRefusedSignIn } from './refused-access.server.ts';
import { guessLimits } from './limits.server.ts';
import { acceptRecoveryCode } from './recovery-codes.server.ts';
import { acceptCode } from './second-factor.server.ts';
import { PROOF_MS } from './staff.ts';
import { accountById, consumeProof } from './store.server.ts';

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
    const after = new Date(platform.now().getTime() - PROOF_MS);
    if (await consumeProof(platform.db, sessionId, after)) return ok(null);
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
