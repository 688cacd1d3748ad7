import type { Context } from 'hono';
import { preferredLanguageKey, chooseLanguage } from '~/base/languages.ts';
import { parseMoney, sameMoney } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Beginner } from '~/features/payment/beginner.ts';
import { giveCookie, readCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findOrder } from './checkout.server.ts';
import { placeLabOrder } from './lab-order.server.ts';
import { noOrder, wrongAmount } from './payment-problem.server.ts';
import { beginnerOf } from './payer.server.ts';
import { ensureSession } from './session.server.ts';
import { totalOf, unpaidOrderOfSession, type Order } from './store.server.ts';

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
    sessionHash: Buffer,
  ): Promise<Order | null> {
    if (reference) return findOrder(platform, normalise(reference));
    const waiting = await unpaidOrderOfSession(platform.db, sessionHash);
    if (waiting) return waiting;
    if (platform.config.mode !== 'test') return null;
    return placeLabOrder(platform, {
      number: newNumber(),
      language: chooseLanguage({
        saved: readCookie(request, preferredLanguageKey),
        acceptLanguage: request.headers.get('accept-language') ?? undefined,
      }),
      sessionHash,
    });
  };
}

export type FindOrderToPay = ReturnType<typeof orderToPay>;

/**
 * The order that a call pays, where the amount it names is the order's, and as whom; else the answer that says why not.
 * Whoever begins an attempt goes on with it by the session's cookie, which goes with whatever the call answers.
 */
export async function payableOrder(
  c: Context,
  platform: Platform,
  find: FindOrderToPay,
  asked: {
    amount: string | number;
    orderReference?: string | undefined;
    orderId?: string | undefined;
  },
): Promise<Outcome<{ order: Order; by: Beginner }, Response>> {
  const { hash, setCookie } = ensureSession(platform, c.req.raw);
  const order = await find(c.req.raw, asked.orderReference ?? asked.orderId, hash);
  if (!order) return refused(noOrder());
  giveCookie({ append: (name, value) => c.header(name, value, { append: true }) }, setCookie);
  const amount = parseMoney(asked.amount);
  const isRight = amount !== null && sameMoney(amount, totalOf(order));
  if (!isRight) return refused(wrongAmount(order));
  return ok({ order, by: await beginnerOf(platform.db, hash, order) });
}
