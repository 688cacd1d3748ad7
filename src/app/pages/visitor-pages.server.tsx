import { stringify } from 'devalue';
import { createElement, type ReactNode } from 'react';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import type { Language } from '~/base/languages.ts';
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
import { withCookieCheck } from '~/platform/http/cookies.server.ts';
import { compressed } from '~/platform/http/compress.server.ts';
import { REPORTING_ENDPOINTS } from '~/platform/http/report-path.ts';
import { PageError, runRoute, type PageResult } from '~/platform/page/run-route.server.ts';
import type { PageRoute, RouteMatch } from '~/platform/page/route-table.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem, isUnavailable } from '~/platform/http/problem.server.ts';
import { failureContext, referenceContext } from '~/platform/http/request.server.ts';
import { wantsPage } from './refusals.server.ts';
import { carriedAnswers } from '~/ui/answers-form.ts';
import { makePage, PageProvider, pageHref, type PageAddress } from '~/ui/page/page-context.tsx';
import { PAGE_DATA_TYPE, type PageAnswer, type PageFiles } from '~/ui/page/page-data.ts';
import { asFunction, PageRoot, type PageComponents } from './page-root.tsx';

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
export function makeVisitorPages(build: ServerBuild, platform: Platform, mode: string) {
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
