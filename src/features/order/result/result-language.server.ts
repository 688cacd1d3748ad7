import { redirect } from 'react-router';
import { isLanguage, preferredLanguageKey } from '~/base/languages.ts';
import { readCookie } from '~/platform/http/cookies.server.ts';
import type { Order } from '../store.server.ts';

/** Redirects a browser back from a provider to the page in the order's language; null where it is there. */
export function redirectToOrderLanguage(
  request: Request,
  shown: string,
  order: Pick<Order, 'language'>,
): Response | null {
  const hasChosen = isLanguage(readCookie(request, preferredLanguageKey));
  const address = inOrderLanguage(new URL(request.url), shown, {
    language: order.language,
    hasChosen,
  });
  return address === null ? null : redirect(address, { headers: { 'Cache-Control': 'no-store' } });
}

/**
 * The address that continues in the right language after a provider has sent the browser back, or null where this one
 * is right. Our return address contains the language of the page that the browser left, where known and not the
 * order's. Where neither the address nor a saved choice names a language, the order's is used.
 */
export function inOrderLanguage(
  url: URL,
  shown: string,
  { language, hasChosen }: { language: string; hasChosen: boolean },
): string | null {
  const isPrefixed = isLanguage(url.pathname.split('/')[1]);
  if (isPrefixed || hasChosen || language === shown || !isLanguage(language)) return null;
  return `/${language}${url.pathname}${url.search}`;
}
