import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { preferredLanguageKey, type Language } from '~/base/languages.ts';
import { settingsEdition } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { labContext } from '~/lab/context.server.ts';
import { paymentsContext, type Payments } from '~/features/payment/settlement/context.server.ts';
import { SPECULATION_RULES } from '~/features/site/api.server.ts';
import { isContentPage } from '~/features/site/listed-pages.ts';
import {
  BUSY_RETRY_SECONDS,
  cookiesPage,
  failurePage,
  newReference,
} from '~/features/site/plain-page.server.ts';
import { hasDraftCookie } from '~/features/form/draft/draft.server.ts';
import { visaDrafts } from '~/features/visa/store/draft.server.ts';
import { makeLab } from '../composition/lab.server.ts';
import { requestLanguage, pathLanguage, negotiateLanguage } from '~/i18n/page-language.server.ts';
import {
  readCookieCheck,
  withCookieCheck,
  giveCookie,
  openCookie,
  readCookie,
  type HasHeaders,
} from '~/platform/http/cookies.server.ts';
import { type EncodedAnswer, makePageCache } from '~/platform/page/page-cache.server.ts';
import { withSecurityHeaders } from '~/platform/http/security.server.ts';
import { unreadableContext } from '~/platform/input/read-body.server.ts';
import { makeRouteTable, type RouteMatch } from '~/platform/page/route-table.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  addressContext,
  failureContext,
  languageContext,
  nonceContext,
  platformContext,
  referenceContext,
} from '~/platform/http/request.server.ts';
import { busyResponse, unreadable, wantsPage } from './refusals.server.ts';
import { makeVisitorPages } from './visitor-pages.server.tsx';

/** The language, and the network address of the visitor (empty for a page that is the same for all). */
type PageRequest = { prefix: Language | undefined; language: Language; address: string };

type Handler = ReturnType<typeof createRequestHandler>;

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * How old "ready by" on a cached page may be, in seconds. A price that takes effect is shown from the next request on.
 */
const FRESH_SECONDS = 60;

/**
 * Serves every page. `routes.ts` names no language: there is one handler per prefix, and the bare
 * addresses negotiate (saved choice, browser, English).
 */
export function makePages(
  build: ServerBuild,
  { platform, payments }: { platform: Platform; payments: Payments },
  mode: string,
) {
  const lab = makeLab(platform, payments);
  const publicHost = new URL(platform.config.publicUrl).host;
  const matchRoute = makeRouteTable(build);
  const visitorPage = makeVisitorPages(build, platform, mode);
  const shared = { ...deskAlone(build), allowedActionOrigins: [publicHost] };
  const handlers = new Map<string, Handler>();
  const handlerFor = (prefix: Language | undefined): Handler => {
    const basename = prefix ? `/${prefix}` : '/';
    const known = handlers.get(basename);
    if (known) return known;
    const handler = createRequestHandler({ ...shared, basename }, mode);
    handlers.set(basename, handler);
    return handler;
  };
  // In development a page is rendered from its present files.
  const kept =
    mode === 'development'
      ? null
      : makePageCache({
          now: platform.now,
          freshSeconds: FRESH_SECONDS,
          edition: async () => settingsEdition(await currentSettings(platform.db), platform.now()),
          headersFor: withSecurityHeaders(platform),
        });

  async function render(
    request: Request,
    { pathname, search }: URL,
    { prefix, language, address }: PageRequest,
  ): Promise<Response> {
    const context = new RouterContextProvider();
    const reference = newReference();
    context.set(platformContext, platform);
    context.set(paymentsContext, payments);
    context.set(labContext, lab);
    context.set(languageContext, language);
    context.set(addressContext, address);
    context.set(referenceContext, reference);
    const failure = { noConnection: false };
    context.set(failureContext, failure);

    const path = withoutLanguage(pathname, prefix);
    const basename = prefix ? `/${prefix}` : '';
    const match = matchRoute(path);
    // Every address outside the desk is a visitor's page, those that do not exist included.
    const response =
      !match || isOfDesk(match) || isOfDesk(matchRoute(path.replace(/\.data$/, '')))
        ? await deskPage(prefix, request, context)
        : await visitorPage(
            request,
            { match, language, basename, address: { pathname: path, search } },
            context,
          );
    if (failure.noConnection && response.status === 500) return unavailable(request, response);
    const type = response.headers.get('content-type');
    const why = context.get(unreadableContext);
    if (why && wantsPage(request)) return unreadable(request, why);
    // The router's answer when even the error page failed to render.
    if (response.status === 500 && type?.startsWith('text/plain')) {
      // A browser that went on meanwhile has no use for it, and nothing failed.
      if (!request.signal.aborted) {
        platform.log.error({ path: pathname, reference }, 'no page rendered');
      }
      return failurePage(language, reference);
    }
    response.headers.set('Content-Language', language);
    // Without a `Cache-Control`, `securityHeaders` adds `no-store`, to data answers as well.
    if (response.status === 200 && !response.headers.has('Cache-Control')) {
      if (mayBrowserCache(platform, request, { pathname, prefix }))
        response.headers.set('Cache-Control', PRIVATE_COPY);
    }
    return response;
  }

  async function deskPage(
    prefix: Language | undefined,
    request: Request,
    context: RouterContextProvider,
  ): Promise<Response> {
    context.set(nonceContext, randomBytes(16).toString('base64'));
    const response = await handlerFor(prefix)(request, context);
    const to = response.headers.get('location');
    if (to !== null) {
      response.headers.set('Location', withCookieCheck(request, response.headers, to));
    }
    return response;
  }

  /** A content page, rendered from nothing of the visitor's but the language. */
  async function renderForAll({ origin, pathname }: URL, asked: PageRequest) {
    const { prefix } = asked;
    const url = new URL(origin + pathname);
    const response = await render(new Request(url), url, { ...asked, address: '' });
    if (response.status !== 200) return response;
    response.headers.set('Cache-Control', prefix ? 'public, no-cache' : PRIVATE_COPY);
    if (!prefix) response.headers.append('Vary', NEGOTIATED);
    response.headers.set('Speculation-Rules', `"${SPECULATION_RULES}"`);
    return response;
  }

  /**
   * The cached page for this request, or null. Needs the request's head alone, so it can be asked before a `Request` is
   * made.
   */
  async function ready({ url = '/', headers }: IncomingMessage): Promise<EncodedAnswer | null> {
    if (!kept || platform.config.maintenance) return null;
    const prefix = pathLanguage(url);
    if (!isContentPage({ pathname: url, search: '' }, prefix)) return null;
    const asked = { headers: { get: (name: string) => headers[name]?.toString() ?? null } };
    if (prefix && isChoice(asked, prefix)) return null;
    return kept.ready(`${prefix ?? '*'} ${prefix ?? negotiateLanguage(asked)} ${url}`);
  }

  /** `url` is the request's. */
  async function page(request: Request, url: URL, address: string): Promise<Response> {
    const checked = readCookieCheck(request, url);
    if (checked?.isBlocked) return cookiesPage(requestLanguage(request), checked.way);
    if (checked) return new Response(null, { status: 303, headers: { Location: checked.way } });
    const prefix = pathLanguage(url.pathname);
    const language = prefix ?? negotiateLanguage(request);
    const asked = { prefix, language, address };
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const response =
      kept && reads && isContentPage(url, prefix)
        ? await kept(`${prefix ?? '*'} ${language} ${url.pathname}`, request, () =>
            renderForAll(url, asked),
          )
        : await render(request, url, asked);
    if (!prefix && !response.headers.get('Vary')?.includes(NEGOTIATED)) {
      response.headers.append('Vary', NEGOTIATED);
    }
    if (prefix && isChoice(request, prefix)) {
      if (response.headers.get('Cache-Control')?.startsWith('public')) {
        response.headers.set('Cache-Control', PRIVATE_COPY);
      }
      const chosen = openCookie(platform, preferredLanguageKey, prefix, YEAR_SECONDS);
      giveCookie(response.headers, chosen);
    }
    return response;
  }

  return { page, ready };
}

/** The request headers that decide the language of an address without one. */
const NEGOTIATED = 'Cookie, Accept-Language';

/** Where the desk's own modules are. */
const DESK = 'features/desk/';

const isOfDesk = (match: RouteMatch | undefined): boolean =>
  match?.route.ids.some((id) => id.startsWith(DESK)) ?? false;

/** React Router gets the desk's routes alone. */
function deskAlone(build: ServerBuild): ServerBuild {
  const isKept = ([id]: [string, unknown]) => isDeskRoute(build, id);
  return {
    ...build,
    routes: Object.fromEntries(Object.entries(build.routes).filter(isKept)),
    assets: {
      ...build.assets,
      routes: Object.fromEntries(Object.entries(build.assets.routes).filter(isKept)),
    },
  };
}

function isDeskRoute(build: ServerBuild, id: string): boolean {
  const parent = build.routes[id]?.parentId;
  return (
    id === 'root' ||
    id.startsWith(DESK) ||
    (parent !== undefined && parent !== 'root' && isDeskRoute(build, parent))
  );
}

/** `/tr/status` as `routes.ts` has it. */
const withoutLanguage = (pathname: string, prefix: Language | undefined): string =>
  prefix ? pathname.slice(prefix.length + 1) || '/' : pathname;

/** The browser may keep a copy, but asks about it each time; going back shows the page as it was left. */
const PRIVATE_COPY = 'private, no-cache';

/** The first step's addresses. */
const FIRST_STEP = ['/application', '/apply'];

/**
 * Whether a browser may keep a page that is made for one visitor: a content page with a question, and the wizard's
 * first step before it knows anything of anybody. Every other page may show personal data.
 */
function mayBrowserCache(
  platform: Platform,
  request: Request,
  { pathname, prefix }: { pathname: string; prefix: Language | undefined },
): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const bare = withoutLanguage(pathname, prefix);
  return (
    isContentPage({ pathname, search: '' }, prefix) ||
    (FIRST_STEP.includes(bare) && !hasDraftCookie(visaDrafts, platform, request))
  );
}

/** 503 for a page that got no database connection. Scripts of an open page read the body that the router made. */
function unavailable(request: Request, response: Response): Response {
  if (wantsPage(request)) return busyResponse(request);
  const headers = new Headers(response.headers);
  headers.set('Retry-After', String(BUSY_RETRY_SECONDS));
  return new Response(response.body, { status: 503, headers });
}

/** Following a language link on our own pages is a choice; arriving by a shared link or fetching ahead is not. */
function isChoice(request: HasHeaders, prefix: Language): boolean {
  return (
    readCookie(request, preferredLanguageKey) !== prefix &&
    request.headers.get('sec-fetch-site') === 'same-origin' &&
    request.headers.get('sec-purpose') === null
  );
}
