import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { randomBytes } from 'node:crypto';
import {
  chooseLanguage,
  isLanguage,
  preferredLanguageKey,
  type Language,
} from './base/languages.ts';
import { insuranceAlong } from './extras.server.ts';
import { labContext } from './features/payment/lab/context.server.ts';
import { paymentsContext, type Payments } from './features/payment/context.server.ts';
import { extraContext } from './features/visa/extra.server.ts';
import { makeLab } from './lab.server.ts';
import { readCookie } from './platform/cookies.server.ts';
import type { Platform } from './platform/platform.server.ts';
import {
  addressContext,
  languageContext,
  nonceContext,
  platformContext,
  translationContext,
} from './platform/request.server.ts';
import { translations } from './platform/translations.server.ts';

type Handler = ReturnType<typeof createRequestHandler>;

const YEAR_SECONDS = 365 * 24 * 3600;

/** The language that an address names explicitly: `/tr/status` → `tr`; a bare address names none. */
export function languageOfPath(pathname: string): Language | undefined {
  const first = pathname.split('/')[1]?.replace(/\.data$/, '') ?? '';
  return isLanguage(first) ? first : undefined;
}

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
  const shared = { ...build, allowedActionOrigins: [publicHost] };
  const handlers = new Map<string, Handler>();
  const handlerFor = (prefix: Language | undefined): Handler => {
    const basename = prefix ? `/${prefix}` : '/';
    const known = handlers.get(basename);
    if (known) return known;
    const handler = createRequestHandler({ ...shared, basename }, mode);
    handlers.set(basename, handler);
    return handler;
  };

  return async function page(request: Request, address: string): Promise<Response> {
    const url = new URL(request.url);
    const prefix = languageOfPath(url.pathname);
    const saved = readCookie(request, preferredLanguageKey);
    const language =
      prefix ??
      chooseLanguage({
        saved,
        acceptLanguage: request.headers.get('accept-language') ?? undefined,
      });

    const context = new RouterContextProvider();
    context.set(platformContext, platform);
    context.set(paymentsContext, payments);
    context.set(extraContext, insuranceAlong);
    context.set(labContext, lab);
    context.set(languageContext, language);
    context.set(translationContext, translations(language));
    context.set(nonceContext, randomBytes(16).toString('base64'));
    context.set(addressContext, address);

    const response = await handlerFor(prefix)(request, context);
    response.headers.set('Content-Language', language);
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    if (isPage && !response.headers.has('Cache-Control')) {
      response.headers.set('Cache-Control', 'private, no-cache');
    }
    if (!prefix) response.headers.append('Vary', 'Cookie, Accept-Language');
    // Following a language link on our own pages is a choice; arriving by a shared link is not.
    if (prefix && saved !== prefix && request.headers.get('sec-fetch-site') === 'same-origin') {
      response.headers.append(
        'Set-Cookie',
        `${preferredLanguageKey}=${prefix}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`,
      );
    }
    return response;
  };
}
