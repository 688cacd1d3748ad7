import type { Context } from 'hono';
import { preferredLanguageKey, chooseLanguage } from '~/base/languages.ts';
import { parseMoney, sameMoney } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findOrder } from './checkout.server.ts';
import { placeLabOrder } from './lab-order.server.ts';
import { noOrder, wrongAmount } from './payment-problem.server.ts';
import { ensureSession, sessionHashOf } from './session.server.ts';
import { totalOf, unpaidOrderOfSession, type Order } from './store.server.ts';

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

/**
 * The order that a call pays, where the amount it names is the order's; else the answer that says why not. A lab order's
 * cookie goes with whatever the call answers.
 */
export async function payableOrder(
  c: Context,
  find: FindOrderToPay,
  asked: {
    amount: string | number;
    orderReference?: string | undefined;
    orderId?: string | undefined;
  },
): Promise<Outcome<Order, Response>> {
  const found = await find(c.req.raw, asked.orderReference ?? asked.orderId);
  if (!found) return refused(noOrder());
  const { order, setCookie } = found;
  if (setCookie) c.header('Set-Cookie', setCookie);
  const amount = parseMoney(asked.amount);
  const isRight = amount !== null && sameMoney(amount, totalOf(order));
  return isRight ? ok(order) : refused(wrongAmount(order));
}
