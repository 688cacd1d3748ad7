import { z } from 'zod';
import { type SetCookie, sealedCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import * as client from 'openid-client';
import { UnsoundProvider, callbackAddress, identityProvider } from './identity-provider.server.ts';
import type { SignOnProblem } from './claims.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { PROOF_MS } from '../staff.ts';

/** How long somebody may stay at the provider, in seconds. */
const SIGN_ON_SECONDS = 10 * 60;

/** What a sign-in at the provider is for. `again`: to prove who is there before one action. */
const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_in') }),
  z.object({ kind: z.literal('again'), session: z.uuid() }),
]);
export type Purpose = z.infer<typeof purpose>;

const content = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  purpose,
  next: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

/** A sign-in that is under way in one browser. */
export type SignOn = z.infer<typeof content>;

const cookie = sealedCookie({
  name: 'lale_staff_sso',
  context: 'staff.sign_on',
  seconds: SIGN_ON_SECONDS,
  content,
});

export const signOnCookie = (platform: Platform, signOn: SignOn): SetCookie =>
  cookie.give(platform, signOn);

export const signOnOver = (platform: Platform): SetCookie => cookie.takeAway(platform);

/** The sign-in that this browser began; null for none, one of another browser, or one that took too long. */
export const signOnOf = (platform: Platform, request: Request): SignOn | null =>
  cookie.read(platform, request);

/** Codes of `openid-client` for a provider that gave no answer, or one that no provider gives. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
const MISCONFIGURED = new Set([
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** What an error of the exchange with the provider means for whoever signs in. */
export function problemOf(error: unknown): SignOnProblem {
  // The provider's own answer to the browser: https://openid.net/specs/openid-connect-core-1_0.html#AuthError
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied';
    return error.error === 'server_error' || error.error === 'temporarily_unavailable'
      ? 'away'
      : 'misconfigured';
  }
  // Its answer to us: a code that was used, has expired or was not given for this browser's verifier.
  if (error instanceof client.ResponseBodyError) {
    if (error.error === 'invalid_grant') return 'interrupted';
    return error.status >= 500 ? 'away' : 'misconfigured';
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return 'misconfigured';
  if (error instanceof client.ClientError) {
    const { code = '' } = error;
    if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
    if (AWAY.has(code)) return 'away';
    return MISCONFIGURED.has(code) ? 'misconfigured' : 'untrusted';
  }
  if (error instanceof UnsoundProvider) return 'misconfigured';
  // What `fetch` throws where the network or TLS fails.
  return error instanceof TypeError ? 'away' : 'untrusted';
}

export type BegunSignOn = {
  /** The provider's page, to send the browser to. */
  address: string;
  cookie: SetCookie;
};

/**
 * Begins a sign-in at the identity provider: the authorization code flow with PKCE (S256), a state and a nonce, which
 * stay sealed in this browser. `next`: the desk's page to open afterwards, one of ours already.
 */
export async function beginSignOn(
  platform: Platform,
  { purpose, next, language }: { purpose: Purpose; next: string; language: string },
): Promise<Outcome<BegunSignOn, SignOnProblem | 'not_configured'>> {
  const { config, now, log } = platform;
  const settings = config.singleSignOn;
  if (!settings) return refused('not_configured');
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ];
  try {
    const provider = await identityProvider(platform, settings);
    const address = client.buildAuthorizationUrl(provider, {
      redirect_uri: callbackAddress(config),
      scope: settings.scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ui_locales: language,
      ...(settings.secondFactor.acr.length > 0 && {
        acr_values: settings.secondFactor.acr.join(' '),
      }),
      // Whoever sits at an unattended browser has the provider's session as well. `max_age` obliges the provider to say
      // when they signed in there (`auth_time`).
      ...(purpose.kind === 'again' && { prompt: 'login', max_age: String(PROOF_MS / 1000) }),
    });
    const startedAt = now().getTime();
    const signOn = { state, nonce, verifier, purpose, next, startedAt };
    return ok({ address: address.href, cookie: signOnCookie(platform, signOn) });
  } catch (error) {
    const problem = problemOf(error);
    log.warn({ problem, err: error }, 'the identity provider could not be asked');
    return refused(problem);
  }
}
