import * as client from 'openid-client';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { PROOF_MS } from '../staff.ts';
import { callbackAddress, identityProvider } from './identity-provider.server.ts';
import { signOnCookie, type Purpose } from './sign-on-cookie.server.ts';
import type { SignOnProblem } from './sign-on-problem.ts';
import { problemOf } from './sign-on-error.server.ts';

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
