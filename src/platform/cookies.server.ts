import type { Config } from './config.server.ts';

/** What is asked of a request's head. */
export type HasHeaders = { headers: Pick<Headers, 'get'> };

/** The value of a cookie as the browser sent it; our own cookies hold url-safe values only. */
export function readCookie(request: HasHeaders, name: string): string | undefined {
  for (const part of (request.headers.get('cookie') ?? '').split(/;\s*/)) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals) === name) return part.slice(equals + 1);
  }
  return undefined;
}

type Configured = { config: Pick<Config, 'publicUrl'> };

const isSecure = ({ config }: Configured): boolean => config.publicUrl.startsWith('https:');

/**
 * The name under which a browser keeps a secret of ours. With TLS the prefix keeps a neighbouring host, or a page
 * without TLS, from planting one (RFC 6265bis, 4.1.3.2); a browser refuses the prefix without TLS, so that the loopback
 * addresses of test mode go without.
 */
export const cookieName = (platform: Configured, name: string): string =>
  isSecure(platform) ? `__Host-${name}` : name;

export const readSecretCookie = (
  platform: Configured,
  request: Request,
  name: string,
): string | undefined => readCookie(request, cookieName(platform, name));

/**
 * The header that gives the browser a secret of ours, out of the reach of scripts and of other sites' forms.
 * `maxAgeSeconds`: absent until the browser is closed; 0 takes the cookie away.
 */
export function secretCookie(
  platform: Configured,
  name: string,
  value: string,
  { maxAgeSeconds }: { maxAgeSeconds?: number } = {},
): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure(platform) ? '; Secure' : '';
  return `${cookieName(platform, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`;
}
