import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { audit } from '../audit.server.ts';
import { guessLimits } from '../limits.server.ts';
import { lockAccounts } from '../store.server.ts';
import { endProviderSessions } from './identity-store.server.ts';
import { readLogoutToken, type LogoutToken } from './logout-token.server.ts';

/**
 * Ends the sessions that a logout token of the identity provider names, once for each token; returns how many were open.
 * Sessions that a password or a passkey opened stay.
 */
export async function endByProvider(
  platform: Platform,
  settings: SingleSignOnConfig,
  token: string,
): Promise<Outcome<number, 'invalid' | 'used' | 'away'>> {
  const read = await readLogoutToken(platform, settings, token);
  if (!read.ok) return read;
  const { logoutToken } = guessLimits(platform);
  if (!(await logoutToken.consume(read.value.id)).allowed) return refused('used');
  try {
    return ok(await endNamed(platform, settings.issuer, read.value));
  } catch (error) {
    // The provider may send it again.
    await logoutToken.reset(read.value.id);
    throw error;
  }
}

function endNamed(
  { db, now }: Platform,
  issuer: string,
  { subject, session }: LogoutToken,
): Promise<number> {
  const at = now();
  return db.transaction(async (tx) => {
    // A sign-in that is ending now has opened its session before, or will be a later one.
    await lockAccounts(tx);
    const ended = await endProviderSessions(tx, { issuer, subject, session, now: at });
    for (const [accountId, sessions] of ended) {
      await audit(tx, {
        at,
        staffId: null,
        action: 'sessions_ended',
        subject: { kind: 'account', id: accountId },
        detail: { sessions, by: 'identity_provider' },
      });
    }
    return ended.values().reduce((sum, sessions) => sum + sessions, 0);
  });
}
