import { redirect } from 'react-router';
import { isLanguage, preferredLanguageKey } from '~/base/languages.ts';
import { readCookie } from '~/platform/http/cookies.server.ts';
import type { Order } from '../store.server.ts';

/** Leads a browser that came back from a payment partner to the page in the order's language; null where it is. */
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
 * A payment partner sends browsers back. Our return address leads on in the language that the browser left in, where that
 * is known and not the order's. Where neither the address nor a saved choice names a language, the page continues in the order's: the address to go to, or null where this one will do.
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
