import { redirect } from 'react-router';
import { isLanguage, preferredLanguageKey } from '~/base/languages.ts';
import { readCookie } from '~/platform/http/cookies.server.ts';
import { inOrderLanguage } from './order-language.ts';
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
