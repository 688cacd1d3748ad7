import type { Config } from '../config/config.server.ts';

declare const madeHere: unique symbol;

/** The value of a `Set-Cookie` header. Only this file makes one, so that no cookie is set without its attributes. */
export type SetCookie = string & { readonly [madeHere]: true };

/** Adds a cookie to the headers of an answer, beside those that it gives already. */
export function giveCookie(headers: Pick<Headers, 'append'>, cookie: SetCookie): void {
  headers.append('Set-Cookie', cookie);
}

/** Copies the headers of one answer to another and replaces those that are there; cookies are added. */
export function copyHeaders(from: Headers, to: Headers): void {
  for (const [name, value] of from) {
    if (name === 'set-cookie') to.append(name, value);
    else to.set(name, value);
  }
}

/** The same as headers of an answer. */
export const cookieHeader = (cookie: SetCookie) => ({ 'Set-Cookie': cookie });

/** The part of a request or answer that is read here. */
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
 * Gives the browser a secret of ours, out of the reach of scripts and of other sites' forms.
 * `maxAgeSeconds`: absent until the browser is closed; 0 takes the cookie away.
 */
export function secretCookie(
  platform: Configured,
  name: string,
  value: string,
  { maxAgeSeconds }: { maxAgeSeconds?: number } = {},
): SetCookie {
  return written(cookieName(platform, name), value, {
    attributes: ['HttpOnly', 'SameSite=Lax'],
    secure: isSecure(platform),
    maxAgeSeconds,
  });
}

/** A choice of the visitor that opens nothing, and that scripts of ours read and write as well. */
export const openCookie = (
  platform: Configured,
  name: string,
  value: string,
  maxAgeSeconds: number,
): SetCookie =>
  written(name, value, {
    attributes: ['SameSite=Lax'],
    secure: isSecure(platform),
    maxAgeSeconds,
  });

/**
 * Deletes a cookie that something else has set. Browsers obey for a name with a prefix only where the prefix's rules
 * are kept.
 */
export const clearCookie = (name: string): SetCookie =>
  written(name, '', {
    attributes: [],
    secure: /^__(Host|Secure)-/i.test(name),
    maxAgeSeconds: 0,
  });

function written(
  name: string,
  value: string,
  {
    attributes,
    secure,
    maxAgeSeconds,
  }: { attributes: readonly string[]; secure: boolean; maxAgeSeconds: number | undefined },
): SetCookie {
  const all = [
    `${name}=${value}`,
    'Path=/',
    ...attributes,
    ...(secure ? ['Secure'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ];
  return all.join('; ') as SetCookie;
}
