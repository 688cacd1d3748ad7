import type { MiddlewareHandler } from 'hono';
import {
  BUSY_RETRY_SECONDS,
  busyPage,
  MAINTENANCE_RETRY_SECONDS,
  maintenancePage,
  unreadablePage,
} from '~/features/site/plain-page.server.ts';
import { requestLanguage } from '~/i18n/page-language.server.ts';
import { clearCookie, giveCookie } from '~/platform/http/cookies.server.ts';
import {
  badCookies,
  hasBadAddress,
  unreadableStatus,
  unreadableProblem,
  type Unreadable,
} from '~/platform/input/read-body.server.ts';
import { problem } from '~/platform/http/problem.server.ts';

/** Whether the request is for a page, as a browser's, and not for data, as a program's. */
export const wantsPage = (request: Request): boolean =>
  request.headers.get('accept')?.includes('text/html') ?? false;

/** The answer in maintenance mode: 503. Payment partners repeat their notifications after any 5xx. */
export function maintenanceResponse({ req }: { req: { raw: Request } }): Promise<Response> {
  return Promise.resolve(
    wantsPage(req.raw)
      ? maintenancePage(requestLanguage(req.raw))
      : problem({
          code: 'maintenance',
          headers: { 'Retry-After': String(MAINTENANCE_RETRY_SECONDS) },
        }),
  );
}

/** The answer to a request that an overloaded service refuses before doing anything: 503 with `Retry-After`. */
export const busyResponse = (request: Request): Response =>
  wantsPage(request) ? busyPage(requestLanguage(request)) : busyProblem();

export const busyProblem = (): Response =>
  problem({
    code: 'busy',
    headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) },
  });

/** Refuses an address or a cookie with characters that the database cannot store, before anything reads it. */
export const refuseBadCharacters: MiddlewareHandler = async ({ req }, next) => {
  const cookies = badCookies(req.raw);
  if (cookies.length === 0 && !hasBadAddress(req.raw)) return next();
  const response = wantsPage(req.raw)
    ? unreadable(req.raw, 'bad_characters')
    : unreadableProblem('bad_characters');
  // A browser that keeps such a cookie would be refused at every request.
  for (const name of cookies.filter((one) => one !== '')) {
    giveCookie(response.headers, clearCookie(name));
  }
  return response;
};

/** The page for a form that could not be read, with the way back to where it was filled in. */
export function unreadable(request: Request, why: Unreadable): Response {
  const back = hasBadAddress(request) ? '/' : pageOf(request);
  return unreadablePage(requestLanguage(request), { status: unreadableStatus(why), back });
}

/** The answer to a body of more than `limit` bytes. */
export function tooLarge(request: Request, limit: number): Response {
  if (!wantsPage(request)) return problem({ code: 'too_large' });
  const back = pageOf(request);
  return unreadablePage(requestLanguage(request), { status: 413, back, tooLargeBytes: limit });
}

/** The page that an address stands for; two slashes in front would name another host. */
function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname.replace(/^[/\\]+/, '/') + search;
}
