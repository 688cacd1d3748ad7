import * as client from 'openid-client';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { roles, type Role } from './roles.ts';
import type { PasswordAccounts } from './passwords.ts';
import type { SingleSignOnOffer } from './sign-in-form.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { z } from 'zod';
import { type SetCookie, sealedCookie } from '~/platform/http/cookies.server.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { PROOF_MS } from './staff.ts';

/** How long the provider's own description is believed before it is read again, in milliseconds. */
const DESCRIPTION_MS = 60 * 60_000;
const TIMEOUT_S = 8;
/** Seconds by which the provider's clock and ours may differ. */
export const CLOCK_TOLERANCE_S = 60;

/** Where the provider sends the browser back to; registered there. */
const CALLBACK_PAGE = '/admin/single-sign-on/callback';
export const callbackAddress = ({ publicUrl }: { publicUrl: string }): string =>
  `${publicUrl}${CALLBACK_PAGE}`;

/** The provider describes itself in a way that nobody should be sent to it. */
class UnsoundProvider extends Error {}

type Known = { readAt: number; description: Promise<client.Configuration> };
const described = new WeakMap<SingleSignOnConfig, Known>();

/**
 * The provider as it describes itself, read once an hour.
 * @throws what `openid-client` throws where the provider does not answer, or is not who the configuration names.
 */
export function identityProvider(
  { now }: Pick<Platform, 'now'>,
  settings: SingleSignOnConfig,
): Promise<client.Configuration> {
  const at = now().getTime();
  const known = described.get(settings);
  if (known && at - known.readAt < DESCRIPTION_MS) return known.description;
  const description = describe(settings, at - Date.now());
  const fresh = { readAt: at, description };
  described.set(settings, fresh);
  // The next sign-in asks again.
  description.catch(() => {
    if (described.get(settings) === fresh) described.delete(settings);
  });
  return description;
}

async function describe(
  { issuer, clientId, clientSecret }: SingleSignOnConfig,
  skewMs: number,
): Promise<client.Configuration> {
  const isPlain = issuer.startsWith('http:');
  const provider = await client.discovery(
    new URL(issuer),
    clientId,
    {
      client_secret: clientSecret,
      [client.clockTolerance]: CLOCK_TOLERANCE_S,
      [client.clockSkew]: Math.round(skewMs / 1000),
    },
    authentication(clientSecret),
    {
      timeout: TIMEOUT_S,
      // The configuration allows it to this machine alone in live mode.
      execute: [
        ...(isPlain ? [client.allowInsecureRequests] : []),
        // The ID token's signature is checked although it came from the provider by TLS.
        client.enableNonRepudiationChecks,
      ],
    },
  );
  const metadata = provider.serverMetadata();
  // Nothing else checks the address that the browser is sent to, and without keys no sign-in could end.
  const isSound = (address = '') =>
    URL.canParse(address) && (isPlain || new URL(address).protocol === 'https:');
  if (!isSound(metadata.authorization_endpoint) || !isSound(metadata.jwks_uri)) {
    throw new UnsoundProvider('authorization_endpoint or jwks_uri is missing or not safe');
  }
  return provider;
}

/** In the header (the standard's default), unless the provider takes the secret in the body alone. */
function authentication(secret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBody = !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
    (isBody ? inBody : inHeader)(server, ...rest);
  };
}

/** What an identity provider says of a person, by claim. */
export type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts of a claim that holds one or several; none for any other kind of value. */
const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/**
 * A claim by its name, or by a path with dots (`realm_access.roles`, Keycloak). The whole name counts first: some
 * providers name claims by addresses, which have dots as well.
 */
export function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

/**
 * The role that the provider's groups or roles stand for; the highest where several are mapped. Null where none is,
 * which means that the person may not sign in.
 */
export function claimedRole(
  claims: Claims,
  {
    roleClaim,
    roles: mapping,
  }: { roleClaim: string; roles: readonly { value: string; role: Role }[] },
): Role | null {
  const given = textsOf(readClaim(claims, roleClaim));
  const mapped = mapping.filter(({ value }) => given.includes(value)).map(({ role }) => role);
  return roles.findLast((role) => mapped.includes(role)) ?? null;
}

/**
 * Whether the provider says that it asked for a second factor, in words that the operator trusts: one of `amr` (RFC
 * 8176), or the class `acr`. Without such words it never does.
 */
export function hasSecondFactorClaim(
  claims: Claims,
  { amr, acr }: { amr: readonly string[]; acr: readonly string[] },
): boolean {
  return (
    textsOf(claims.amr).some((method) => amr.includes(method)) ||
    (typeof claims.acr === 'string' && acr.includes(claims.acr))
  );
}

/** What the sign-in page offers beside passwords; null without an identity provider. */
export function singleSignOnOffer({
  config,
}: {
  config: { singleSignOn?: { name: string } | undefined; passwordAccounts: PasswordAccounts };
}): SingleSignOnOffer | null {
  const { singleSignOn, passwordAccounts } = config;
  if (!singleSignOn) return null;
  const passwords =
    passwordAccounts === 'all' ? 'all' : passwordAccounts.length > 0 ? 'some' : 'none';
  return { name: singleSignOn.name, passwords };
}

/** Why a sign-in at the identity provider did not lead to the desk. Texts are `staff:signOn.problem.<code>`. */
export type SignOnProblem = CodeIn<'staff', 'signOn.problem'>;

/** The status of the page that says so. */
export const statusOfProblem: Record<SignOnProblem, number> = {
  denied: 403,
  interrupted: 400,
  away: 503,
  misconfigured: 502,
  untrusted: 400,
  clock: 502,
  no_role: 403,
  no_account: 403,
  unverified_email: 403,
  deactivated: 403,
  other_person: 403,
  not_proved: 403,
  not_again: 403,
  no_sign_in_time: 502,
  signed_out: 401,
  limit: 429,
};

/** How long somebody may stay at the provider, in seconds. */
const SIGN_ON_SECONDS = 10 * 60;

/** What a sign-in at the provider is for. `again`: to prove who is there before one action. */
const purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sign_in') }),
  z.object({ kind: z.literal('again'), session: z.uuid() }),
]);
export type SignOnPurpose = z.infer<typeof purpose>;

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

const signOnCookie = (platform: Platform, signOn: SignOn): SetCookie =>
  cookie.give(platform, signOn);

export const clearSignOn = (platform: Platform): SetCookie => cookie.takeAway(platform);

/** The sign-in that this browser began; null for none, one of another browser, or one that took too long. */
export const readSignOn = (platform: Platform, request: Request): SignOn | null =>
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
export function signOnProblem(error: unknown): SignOnProblem {
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

type BegunSignOn = {
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
  { purpose, next, language }: { purpose: SignOnPurpose; next: string; language: string },
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
    const problem = signOnProblem(error);
    log.warn({ problem, err: error }, 'the identity provider could not be asked');
    return refused(problem);
  }
}
