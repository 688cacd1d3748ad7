import * as client from 'openid-client';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import { auditRefusedSignIn } from '../refused-access.server.ts';
import { guessLimits } from '../limits.server.ts';
import { claimAt, roleOf, type Claims, type SignOnProblem } from './claims.ts';
import { callbackAddress, identityProvider } from './identity-provider.server.ts';
import { openBySignOn, type Opened } from './open-by-sign-on.server.ts';
import { signOnOf, type SignOn, problemOf } from './sign-on.server.ts';
import type { Role } from '../roles.ts';

/** Problems that say nothing about a person: the log has them, the audit trail has not. */
const UNRECORDED: readonly SignOnProblem[] = [
  'interrupted',
  'away',
  'misconfigured',
  'signed_out',
  'limit',
];

export type CompletedSignOn = { opened: Opened | null; next: string };

/**
 * Handles the browser's return from the identity provider, once. The library checks `state`, `iss` of the answer and,
 * of the ID token, signature, `iss`, `aud`, `exp` and `nonce`; `auth_time` is checked by what the sign-in is for.
 * `isOver`: whether the sign-in that this browser began has ended by this answer; one that another site made up does
 * not end it.
 */
export async function completeSignOn(
  platform: Platform,
  request: Request,
  address: string,
): Promise<Outcome<CompletedSignOn, { problem: SignOnProblem; isOver: boolean }>> {
  const { search, searchParams } = new URL(request.url);
  const settings = platform.config.singleSignOn;
  const signOn = signOnOf(platform, request);
  if (!settings || !signOn || searchParams.get('state') !== signOn.state) {
    return refused({ problem: 'interrupted', isOver: false });
  }
  const limits = guessLimits(platform);
  if (!(await limits.signOn.consume(address)).allowed) {
    return refused({ problem: 'limit', isOver: false });
  }
  const isFirst = await limits.signOnState.consume(signOn.state);
  if (!isFirst.allowed) return refused({ problem: 'interrupted', isOver: true });
  const outcome = await exchanged(platform, settings, { signOn, search });
  const done = outcome.ok
    ? await openBySignOn(platform, request, { settings, signOn, ...outcome.value })
    : outcome;
  if (done.ok) return ok({ opened: done.value, next: signOn.next });
  await recordRefusal(platform, done.error);
  return refused({ problem: done.error.problem, isOver: true });
}

type SignedIn = { claims: Claims; role: Role | null };
type Refused = { problem: SignOnProblem; accountId?: string };

/**
 * Exchanges the code for what the provider says of the person who signed in there: the claims of the ID token, which it
 * signed for this sign-in, and their role.
 */
async function exchanged(
  platform: Platform,
  settings: SingleSignOnConfig,
  { signOn, search }: { signOn: SignOn; search: string },
): Promise<Outcome<SignedIn, Refused>> {
  try {
    const provider = await identityProvider(platform, settings);
    const answer = new URL(`${callbackAddress(platform.config)}${search}`);
    const tokens = await client.authorizationCodeGrant(provider, answer, {
      expectedState: signOn.state,
      expectedNonce: signOn.nonce,
      pkceCodeVerifier: signOn.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) return refused({ problem: 'untrusted' });
    // Some providers put groups into the answer of their userinfo address only.
    const isThere = claimAt(claims, settings.roleClaim) !== undefined;
    if (isThere || !provider.serverMetadata().userinfo_endpoint) {
      return ok({ claims, role: roleOf(claims, settings) });
    }
    const more = await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return ok({ claims, role: roleOf(more, settings) });
  } catch (error) {
    const problem = problemOf(error);
    platform.log.warn({ problem, err: error }, 'a sign-in at the identity provider failed');
    return refused({ problem });
  }
}

async function recordRefusal(platform: Platform, { problem, accountId }: Refused): Promise<void> {
  if (UNRECORDED.includes(problem)) return;
  const detail = { reason: problem };
  await auditRefusedSignIn(platform, 'sign_on_refused', accountId ?? null, detail);
}
