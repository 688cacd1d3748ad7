import { preferredLanguageKey, chooseLanguage } from '~/base/languages.ts';
import { readCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findOrder } from './checkout.server.ts';
import { placeLabOrder } from './lab-order.server.ts';
import { ensureSession, sessionHashOf } from './session.server.ts';
import { unpaidOrderOfSession, type Order } from './store.server.ts';

/** The order that a payment call is about, and the session cookie to set where a lab order was made. */
export type OrderToPay = { order: Order; setCookie: string | null };

/**
 * `normalise` reads a number as people type it, `newNumber` makes one for a lab order; the features that give out
 * numbers know how.
 */
export function orderToPay(
  platform: Platform,
  { normalise, newNumber }: { normalise: (typed: string) => string; newNumber: () => string },
) {
  /**
   * The order of a reference; without one the unpaid order of the browser's session; else, in test mode, a marked lab order
   * that the session keeps until it is paid. Null where there is none.
   */
  return async function find(
    request: Request,
    reference: string | undefined,
  ): Promise<OrderToPay | null> {
    if (reference) {
      const order = await findOrder(platform, normalise(reference));
      return order && { order, setCookie: null };
    }
    const known = sessionHashOf(request);
    const waiting = known && (await unpaidOrderOfSession(platform.db, known));
    if (waiting) return { order: waiting, setCookie: null };
    if (platform.config.mode !== 'test') return null;
    const session = ensureSession(request, {
      secure: platform.config.publicUrl.startsWith('https:'),
    });
    const order = await placeLabOrder(platform, {
      number: newNumber(),
      language: chooseLanguage({
        saved: readCookie(request, preferredLanguageKey),
        acceptLanguage: request.headers.get('accept-language') ?? undefined,
      }),
      sessionHash: session.hash,
    });
    return { order, setCookie: session.setCookie };
  };
}

export type FindOrderToPay = ReturnType<typeof orderToPay>;
