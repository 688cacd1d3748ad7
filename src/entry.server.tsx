import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
} from 'react-router';
import { contentPolicy } from './content-policy.ts';
import { ReferenceProvider } from './features/site/reference.tsx';
import { beginScriptsLater } from './later-scripts.server.ts';
import { REPORTING_ENDPOINTS } from './platform/csp/report-path.ts';
import {
  failureContext,
  nonceContext,
  platformContext,
  referenceContext,
  languageContext,
} from './platform/request.server.ts';
import { isUnavailable } from './platform/unavailable.server.ts';
import { loadedTexts } from './platform/translations.server.ts';
import { needsOf } from './route-handle.ts';
import { TextsProvider } from './ui/texts/texts.tsx';

const RENDER_LIMIT_MS = 10_000;

/** Renders a whole document before the first byte: no page defers data, and a late error can still become a 500. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  const reference = context.get(referenceContext);
  const { config, log } = context.get(platformContext);
  const needs = needsOf(router.staticHandlerContext.matches.map(({ route }) => route.handle));
  const gatewayOrigins = config.gateway ? [new URL(config.gateway.publicEndpoint).origin] : [];
  headers.set('Content-Type', 'text/html; charset=utf-8');
  headers.set(
    'Content-Security-Policy',
    contentPolicy(needs, {
      inline: `'nonce-${nonce}'`,
      gatewayOrigins,
      inlineStyles: import.meta.env.DEV,
    }),
  );
  headers.set('Reporting-Endpoints', REPORTING_ENDPOINTS);
  // PayPal's window talks to the page that opened it.
  if (needs.paypalScript) headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  let failed = false;
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <TextsProvider texts={loadedTexts(context.get(languageContext))}>
        <ReferenceProvider value={reference}>
          <ServerRouter context={router} url={request.url} nonce={nonce} />
        </ReferenceProvider>
      </TextsProvider>,
      {
        nonce,
        // React otherwise sends what is lazy at the end of a long page and moves it by script: unseen without scripts.
        progressiveChunkSize: Infinity,
        onAllReady() {
          clearTimeout(limit);
          const body = new PassThrough();
          text(body).then(
            (html) =>
              resolve(
                new Response(beginScriptsLater(html, nonce), {
                  headers,
                  status: failed ? 500 : status,
                }),
              ),
            reject,
          );
          pipe(body);
        },
        onShellError(error) {
          clearTimeout(limit);
          reject(error);
        },
        onError(error) {
          failed = true;
          log.error({ err: error, reference }, 'page did not render');
        },
      },
    );
    const limit = setTimeout(abort, RENDER_LIMIT_MS);
  });
}

/** Loader and action errors end here: logged once, with nothing of the request but its path. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  // A method or an address that nobody offers is its sender's mistake, and the answer says so.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  const { log } = context.get(platformContext);
  const about = {
    err: error,
    path: new URL(request.url).pathname,
    reference: context.get(referenceContext),
  };
  if (isUnavailable(error)) {
    context.get(failureContext).noConnection = true;
    log.warn(about, 'database or file storage is unavailable to a page');
  } else log.error(about, 'page failed');
}
