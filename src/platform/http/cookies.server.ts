import type { Config } from '../config/config.server.ts';
import type { z } from 'zod';
import { UnsealError } from '../crypto/crypto.server.ts';
import type { Platform } from '../platform.server.ts';

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

type Sealing = Pick<Platform, 'config' | 'now' | 'sealer'>;

/**
 * A cookie that keeps something under way in the browser that began it, sealed, so that no other one can end it.
 * `seconds`: how long it holds, by its `startedAt` in milliseconds since 1970. `context`: what the seal is bound to.
 */
export function sealedCookie<Content extends { startedAt: number }>({
  name,
  context,
  seconds,
  content,
}: {
  name: string;
  context: string;
  seconds: number;
  content: z.ZodType<Content>;
}) {
  return {
    give: (platform: Sealing, value: Content): SetCookie =>
      secretCookie(platform, name, platform.sealer.sealJson(value, context).toString('base64url'), {
        maxAgeSeconds: seconds,
      }),

    takeAway: (platform: Sealing): SetCookie =>
      secretCookie(platform, name, '', { maxAgeSeconds: 0 }),

    /** Null for none, one that was not sealed here, or one that took too long. */
    read(platform: Sealing, request: Request): Content | null {
      const cookie = readSecretCookie(platform, request, name);
      if (!cookie) return null;
      try {
        const opened = platform.sealer.unsealJson(Buffer.from(cookie, 'base64url'), context);
        const parsed = content.safeParse(opened);
        if (!parsed.success) return null;
        const age = platform.now().getTime() - parsed.data.startedAt;
        return age >= 0 && age < seconds * 1000 ? parsed.data : null;
      } catch (error) {
        if (error instanceof UnsealError) return null;
        throw error;
      }
    },
  };
}

/**
 * A browser that blocks cookies looks like one that is new here: its answers would lead to the empty first page again,
 * its password to the sign-in, for ever. So where a page's form begins something that a cookie of ours opens, and the
 * browser sent none, the way on is marked: who comes there without any cookie is told, everybody else goes on to the
 * address without the mark.
 */
const MARK = 'cookies';
const GIVEN = 'given';

/** Cookies without which the way on is a dead end: of the two forms' drafts, and of the staff. */
const NEEDED = /^(?:__Host-)?lale_(?:draft|insurance|staff)=[^;]/;

/** The way on after a form, marked where it has to be seen whether the browser kept the cookie of `answer`. */
export function withCookieCheck(request: Request, answer: Headers, to: string): string {
  const isAsked =
    request.method === 'POST' &&
    // A program that names no type follows no redirect to a page.
    request.headers.has('accept') &&
    !sendsCookies(request) &&
    answer.getSetCookie().some((cookie) => NEEDED.test(cookie));
  if (!isAsked || !to.startsWith('/')) return to;
  const url = new URL(to, 'http://here');
  url.searchParams.set(MARK, GIVEN);
  return url.pathname + url.search + url.hash;
}

/** Where a marked address leads, and whether the browser kept no cookie; null for any other address. */
export function readCookieCheck(
  request: Request,
  { pathname, searchParams }: URL,
): { way: string; isBlocked: boolean } | null {
  if (request.method !== 'GET' || searchParams.get(MARK) !== GIVEN) return null;
  const rest = new URLSearchParams(searchParams);
  rest.delete(MARK);
  // Two slashes in front would name another host.
  const way = pathname.replace(/^[/\\]+/, '/') + (rest.size > 0 ? `?${rest}` : '');
  return { way, isBlocked: !sendsCookies(request) };
}

const sendsCookies = (request: HasHeaders): boolean =>
  (request.headers.get('cookie') ?? '').trim() !== '';
