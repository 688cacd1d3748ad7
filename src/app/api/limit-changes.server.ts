import type { MiddlewareHandler } from 'hono';
import { busyResponse, wantsPage } from '../pages/refusals.server.ts';
import { pathLanguage } from '~/i18n/page-language.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { makeLimiter, rateLimitHeaders } from '~/platform/http/rate-limit.server.ts';

/** Per address: many times what an agency sends, and few enough that one address cannot overload the database. */
export const CHANGES_LIMIT = { name: 'api_changes', points: 600, seconds: 300 };

/** What pages save while somebody types, which begins nothing: an office shares one address. */
const AUTOSAVES = { name: 'autosaves', points: 6000, seconds: 300 };
const AUTOSAVED: readonly string[] = ['/application/keep', '/insurance/keep'];

/**
 * Changes that this limit does not count: those of the desk, which has limits by person; notifications and returns of
 * payment partners, which are verified and must never be turned away; reports of browsers, which have
 * a limit of their own; and the simulated partners, which stand for outside services.
 */
const UNCOUNTED =
  /^\/(?:api\/)?admin(?:[/.]|$)|^\/api\/payment\/(?:notification|return)\/|^\/csp-reports$|^\/lab\//;

/** Whether a request changes something by the count of `limitChanges`; `path` without its language. */
const isCounted = (method: string, path: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && !UNCOUNTED.test(path);

/** Those of programs: pages tell nobody how many changes are left. */
const isCall = (path: string) => /^\/(?:api|paypal)\//.test(path);

/** Counts every change outside the desk by its sender's address, of pages and calls alike; 429 above the limit. */
export function limitChanges(platform: Platform): MiddlewareHandler {
  const changes = makeLimiter(platform.pool, CHANGES_LIMIT);
  const autosaves = makeLimiter(platform.pool, AUTOSAVES);
  return async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const language = pathLanguage(pathname);
    const path = language ? pathname.slice(language.length + 1) || '/' : pathname;
    if (!isCounted(c.req.method, path)) return next();
    const limiter = AUTOSAVED.includes(path) ? autosaves : changes;
    const address = clientAddress(c, platform);
    // A request without a socket comes from no outside.
    if (address === 'unknown') return next();
    const counted = await limiter.consume(address);
    const limits = isCall(path) ? rateLimitHeaders(CHANGES_LIMIT, counted) : {};
    if (counted.allowed) {
      await next();
      for (const [name, value] of Object.entries(limits)) c.header(name, value);
      return;
    }
    const headers = { 'Retry-After': String(counted.retryAfterSeconds), ...limits };
    if (!wantsPage(c.req.raw)) return problem({ code: 'too_many_calls', headers });
    const page = busyResponse(c.req.raw);
    page.headers.set('Retry-After', headers['Retry-After']);
    return new Response(page.body, { status: 429, headers: page.headers });
  };
}
