import { text } from 'node:stream/consumers';
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
} from 'react-router';
import { contentPolicy, combineHandles } from './app/pages/content-policy.ts';
import { renderDocument } from './features/site/document/document.server.tsx';
import { ReferenceProvider } from './features/site/reference.tsx';
import { routerScripts } from './app/pages/later-scripts.server.ts';
import { compressed } from './platform/http/compress.server.ts';
import { REPORTING_ENDPOINTS } from './platform/http/report-path.ts';
import {
  failureContext,
  nonceContext,
  platformContext,
  referenceContext,
  languageContext,
} from './platform/http/request.server.ts';
import { isUnavailable } from './platform/http/problem.server.ts';
import { loadedTexts } from './i18n/translations.server.ts';
import { TextsProvider } from './ui/texts/texts.tsx';

/**
 * Renders a page of the desk with the same document as visitors' pages. The router's state follows at once, as no page
 * defers data.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  const { config } = context.get(platformContext);
  const needs = combineHandles(
    router.staticHandlerContext.matches.map(({ route }) => route.handle),
  );
  const { card } = config.providers;
  const gatewayOrigins = card ? [new URL(card.publicEndpoint).origin] : [];
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
  // PayPal's window communicates with the page that opened it.
  if (needs.paypalScript) headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  const { serverHandoffStream, ...rest } = router;
  const html = await renderDocument(
    <TextsProvider texts={loadedTexts(context.get(languageContext))}>
      <ReferenceProvider value={context.get(referenceContext)}>
        <ServerRouter context={rest} url={request.url} nonce={nonce} />
      </ReferenceProvider>
    </TextsProvider>,
  );
  const scripts = routerScripts(router.manifest, {
    ids: router.staticHandlerContext.matches.map(({ route }) => route.id),
    nonce,
    handoff: router.serverHandoffString ?? '{}',
    state: serverHandoffStream ? await text(serverHandoffStream) : '',
  });
  // React writes it only when streaming.
  const type = html.startsWith('<!') ? '' : '<!DOCTYPE html>';
  const end = html.lastIndexOf('</body>');
  return compressed(
    type + html.slice(0, end) + scripts + html.slice(end),
    request.headers.get('accept-encoding'),
    { status, headers },
  );
}

/** Handles loader and action errors: logged once, with only the path of the request. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  // An unsupported method or address is the client's mistake, as the response says.
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
