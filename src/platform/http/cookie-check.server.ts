import type { HasHeaders } from './cookies.server.ts';

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
