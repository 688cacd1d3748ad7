import { stringify } from 'devalue';
import { createElement, type ReactNode } from 'react';
import { RouterContextProvider, type ServerBuild, createRequestHandler } from 'react-router';
import { type Language, preferredLanguageKey } from '~/base/languages.ts';
import {
  contentPolicy,
  readKeepsData,
  combineHandles,
  type RouteHandle,
} from './content-policy.ts';
import { drawDocument, type DocumentParts } from '~/features/site/document/document.server.tsx';
import { STARTER_HASH } from '~/features/site/document/starter.server.ts';
import { ErrorPage } from '~/features/site/error-page.tsx';
import { currentSite } from '~/features/site/site.server.ts';
import pageScript from './page-script.ts?worker&url';
import {
  withCookieCheck,
  readCookieCheck,
  giveCookie,
  openCookie,
  readCookie,
  type HasHeaders,
} from '~/platform/http/cookies.server.ts';
import { compressed } from '~/platform/http/compress.server.ts';
import { REPORTING_ENDPOINTS } from '~/platform/http/report-path.ts';
import { PageError, runRoute, type PageResult } from '~/platform/page/run-route.server.ts';
import {
  type PageRoute,
  type RouteMatch,
  makeRouteTable,
} from '~/platform/page/route-table.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem, isUnavailable } from '~/platform/http/problem.server.ts';
import {
  failureContext,
  referenceContext,
  addressContext,
  languageContext,
  nonceContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { wantsPage, busyResponse, unreadable } from './refusals.server.ts';
import { carriedAnswers } from '~/ui/answers-form.ts';
import { makePage, PageProvider, pageHref, type PageAddress } from '~/ui/page/page-context.tsx';
import { PAGE_DATA_TYPE, type PageAnswer, type PageFiles } from '~/ui/page/page-data.ts';
import { asFunction, PageRoot, type PageComponents } from './page-root.tsx';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
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
import { type EncodedAnswer, makePageCache } from '~/platform/page/page-cache.server.ts';
import { permissionsPolicy, withSecurityHeaders } from '~/platform/http/security.server.ts';
import { unreadableContext } from '~/platform/input/read-body.server.ts';

type VisitorPage = {
  match: RouteMatch;
  language: Language;
  /** Empty, or a slash and the language. */
  basename: string;
  address: PageAddress;
};

/** Of a route, what is the same in every request. */
type Prepared = {
  needs: Required<RouteHandle>;
  keepsData: (actionData: unknown) => boolean;
  policy: string;
  styles: readonly string[];
  files: PageFiles;
  components: PageComponents | null;
  handle: unknown;
};

/**
 * Answers requests for visitors' pages: runs the route, then draws its page with React. A page's scripts that ask for
 * `application/json` get its data alone.
 */
function makeVisitorPages(build: ServerBuild, platform: Platform, mode: string) {
  const { assets } = build;
  const { card } = platform.config.providers;
  const gatewayOrigins = card ? [new URL(card.publicEndpoint).origin] : [];
  const isDevelopment = mode === 'development';
  const entry = [...(assets.hmr ? [assets.hmr.runtime] : []), assets.entry.module];
  const prepared = new Map<string, Prepared>();

  function prepare(route: PageRoute): Prepared {
    const known = prepared.get(route.id);
    if (known) return known;
    const needs = combineHandles(route.modules.map(({ handle }) => handle));
    const files = route.ids.flatMap((id) => assets.routes[id] ?? []);
    const css = [assets.routes['root'], ...files].flatMap((file) => file?.css ?? []);
    const own = route.modules.at(-1);
    const made: Prepared = {
      needs,
      keepsData: readKeepsData(own?.handle),
      policy: contentPolicy(needs, {
        inline: isDevelopment ? "'unsafe-inline'" : STARTER_HASH,
        gatewayOrigins,
      }),
      styles: isDevelopment ? ['/src/styles.css'] : [...new Set(css)],
      files: {
        entry,
        modules: files.map((file) => file.module),
        preloads: [
          ...new Set([...assets.entry.imports, ...files.flatMap((file) => file.imports ?? [])]),
        ],
      },
      components: own?.default
        ? {
            page: asFunction(own.default),
            frames: route.modules.slice(0, -1).map((one) => asFunction(one.default)),
          }
        : null,
      handle: own?.handle,
    };
    prepared.set(route.id, made);
    return made;
  }

  return async function visitorPage(
    request: Request,
    page: VisitorPage,
    context: RouterContextProvider,
  ): Promise<Response> {
    const { match, basename } = page;
    const of = prepare(match.route);
    const result = await runRoute(match, request, context, of.keepsData);
    const forScripts = isForScripts(request);
    if (result instanceof Response) return sentOn(result, basename, request);
    note(result.error, request, context);
    // A file's address has no page: what it answers is data, or an error of its own.
    if (!of.components && result.error === undefined)
      return Response.json(result.loaderData ?? null, result);
    if (forScripts) return answerScripts(result);
    return draw(page, of, result, { context, accepted: request.headers.get('accept-encoding') });
  };

  async function draw(
    { match, language, basename, address }: VisitorPage,
    of: Prepared,
    result: PageResult,
    { context, accepted }: { context: RouterContextProvider; accepted: string | null },
  ): Promise<Response> {
    const { error, loaderData, actionData } = result;
    const site = await currentSite(platform, language);
    const reference = context.get(referenceContext);
    const parts = (carried: DocumentParts['frame']['carriedAnswers']): DocumentParts => ({
      frame: { language, basename, path: match.route.path, address, carriedAnswers: carried, site },
      isFramed: !of.needs.ownLook || error !== undefined,
      reference,
      styles: of.styles,
      scripts: null,
      pageScript,
    });
    const headers = new Headers(result.headers);
    headers.set('Content-Type', 'text/html; charset=utf-8');
    headers.set('Reporting-Endpoints', REPORTING_ENDPOINTS);

    if (error === undefined && of.components) {
      const carried = carriedAnswers({ handle: of.handle, loaderData });
      const data = {
        basename,
        address,
        params: match.params,
        tellsOffline: of.needs.tellsOffline,
        loaderData,
        actionData,
      };
      try {
        const html = await drawDocument(<PageRoot components={of.components} data={data} />, {
          ...parts(carried),
          scripts: of.needs.scriptFree
            ? null
            : {
                files: of.files,
                data,
                hasFirstTexts: of.needs.startTexts,
              },
        });
        headers.set('Content-Security-Policy', of.policy);
        // PayPal's window talks to the page that opened it.
        if (of.needs.paypalScript) {
          headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
        }
        if (of.needs.usesCamera) headers.set('Permissions-Policy', permissionsPolicy('self'));
        return await compressed(html, accepted, { status: result.status, headers });
      } catch (thrown) {
        platform.log.error({ err: thrown, reference }, 'page did not render');
        return drawError({ status: 500, error: thrown });
      }
    }
    return drawError({ status: result.status, error });

    async function drawError(failed: { status: number; error: unknown }): Promise<Response> {
      const Own = match.route.modules.at(-1)?.ErrorBoundary;
      const { supportEmail } = site.operator;
      const props = { error: failed.error };
      const own = Own && createElement(asFunction<typeof props>(Own), props);
      const general = <ErrorPage isMissing={failed.status === 404} supportEmail={supportEmail} />;
      const inPage = (content: ReactNode) => (
        <PageProvider value={makePage(basename, address)}>{content}</PageProvider>
      );
      const html = await drawDocument(inPage(own ?? general), parts(null)).catch(() =>
        drawDocument(inPage(general), parts(null)),
      );
      headers.set(
        'Content-Security-Policy',
        contentPolicy({ scriptFree: true }, { inline: '', gatewayOrigins: [] }),
      );
      return compressed(html, accepted, { status: failed.status, headers });
    }
  }

  /** Logs an error once, with nothing of the request but its path. */
  function note(error: unknown, request: Request, context: RouterContextProvider) {
    // A method or an address that does not exist is the sender's mistake; it is answered and not logged.
    if (error === undefined || error instanceof PageError || request.signal.aborted) return;
    const { pathname } = new URL(request.url);
    const about = { err: error, path: pathname, reference: context.get(referenceContext) };
    if (isUnavailable(error)) {
      context.get(failureContext).noConnection = true;
      platform.log.warn(about, 'no database connection for a page');
    } else platform.log.error(about, 'page failed');
  }
}

/** Whether a page's own scripts ask for data, and not a browser for a document. */
const isForScripts = (request: Request): boolean =>
  !wantsPage(request) && request.headers.get('accept') === PAGE_DATA_TYPE;

/**
 * Completes a redirect: routes name paths without the language, and scripts get the address as data. Other responses
 * stay as they are.
 */
function sentOn(response: Response, basename: string, request: Request): Response {
  const to = response.headers.get('location');
  if (to === null || response.status < 300 || response.status > 399) return response;
  const headers = new Headers(response.headers);
  const path = withCookieCheck(request, response.headers, pageHref(basename, to));
  if (!isForScripts(request)) {
    headers.set('Location', path);
    return new Response(null, { status: response.status, headers });
  }
  headers.delete('Location');
  return answer({ to: path }, 200, headers);
}

function answerScripts({ status, headers, error, ...result }: PageResult): Response {
  // What is left out stays on the page as it is.
  if (error === undefined) return answer(result, status, headers);
  return problem({ status, code: status === 500 ? 'internal' : 'no_page' });
}

function answer(content: PageAnswer, status: number, from: Headers): Response {
  const headers = new Headers(from);
  headers.set('Content-Type', PAGE_DATA_TYPE);
  headers.append('Vary', 'Accept');
  return new Response(stringify(content), { status, headers });
}

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
