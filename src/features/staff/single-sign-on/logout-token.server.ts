import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { CLOCK_TOLERANCE_S, identityProvider } from './identity-provider.server.ts';

/** Seconds after which a logout token is too old, whatever it says itself. */
const LONGEST_S = 5 * 60;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by the provider's own key. Those with our secret, and none at all, are no proof of who signed. */
const BY_ITS_KEY = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

const content = z
  .object({
    jti: z.string().min(1).max(500),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    events: z.object({ [EVENT]: z.looseObject({}) }),
    // An ID token has one: it must not pass for a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** Whose sessions the provider ends: a person's, one session of its own, or both. `id`: of the token. */
export type LogoutToken = { id: string; subject: string | null; session: string | null };

const keysOf = new WeakMap<Configuration, JWTVerifyGetKey>();

/** The provider's keys, read again where a token names one that is unknown. */
function signingKeys(provider: Configuration): JWTVerifyGetKey {
  const known = keysOf.get(provider);
  if (known) return known;
  const keys = createRemoteJWKSet(new URL(provider.serverMetadata().jwks_uri ?? ''));
  keysOf.set(provider, keys);
  return keys;
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6): its type, signature, issuer, audience,
 * times and event, and that it is no ID token. `away`: the provider's keys could not be read.
 */
export async function readLogoutToken(
  platform: Platform,
  settings: SingleSignOnConfig,
  token: string,
): Promise<Outcome<LogoutToken, 'invalid' | 'away'>> {
  try {
    const provider = await identityProvider(platform, settings);
    const { issuer, id_token_signing_alg_values_supported: named = ['RS256'] } =
      provider.serverMetadata();
    const { payload } = await jwtVerify(token, signingKeys(provider), {
      typ: 'logout+jwt',
      issuer,
      audience: settings.clientId,
      algorithms: named.filter((algorithm) => BY_ITS_KEY.test(algorithm)),
      requiredClaims: ['iat', 'exp'],
      maxTokenAge: LONGEST_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: platform.now(),
    });
    const { jti, sub, sid } = content.parse(payload);
    return ok({ id: jti, subject: sub ?? null, session: sid ?? null });
  } catch (error) {
    const isRefused = error instanceof z.ZodError || isAboutToken(error);
    platform.log.warn({ err: error }, 'a logout by the identity provider failed');
    return refused(isRefused ? 'invalid' : 'away');
  }
}

/** Whether the token is to blame, not the way to the provider's keys. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  error.code !== errors.JOSEError.code;
