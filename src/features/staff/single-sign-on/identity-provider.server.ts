import * as client from 'openid-client';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

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
export class UnsoundProvider extends Error {}

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
