import type { Context } from 'hono';
import { parseMoney, sameMoney } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Initiator } from '~/features/payment/initiator.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { negotiated } from '~/i18n/page-language.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { placeLabOrder } from './lab-order.server.ts';
import { paymentProblem, wrongAmount } from './payment-problem.server.ts';
import { ensureSession, hasOpenedLab } from './payer/session.server.ts';
import { orderByReference, totalOf, unpaidOrderOfSession, type Order } from './store.server.ts';

/**
 * Makes the function that finds the order a payment call pays. `normalise` reads a number as typed, `newNumber` makes
 * one for a lab order, `isOfSeveral` tells whether an order is of several travellers; they come from the features that
 * assign numbers.
 */
export function orderToPay(
  platform: Platform,
  {
    normalise,
    newNumber,
    isOfSeveral,
  }: {
    normalise: (typed: string) => string;
    newNumber: () => string;
    isOfSeveral: (orderNumber: string) => Promise<boolean>;
  },
) {
  /**
   * The order of a reference; without one the unpaid order of the browser's session; otherwise, in test mode and for a
   * session that has opened a page of the payment lab, a marked lab order that the session keeps until it is paid. Null
   * where there is none; `of_several` for the number of one traveller of several, which only the payer may use.
   */
  return async function find(
    request: Request,
    reference: string | undefined,
    sessionHash: Buffer,
  ): Promise<{ order: Order; isPayer: boolean } | 'of_several' | null> {
    if (reference) {
      const number = normalise(reference);
      const found = await orderByReference(platform.db, number, sessionHash);
      // A traveller's own number must not tell what the others cost.
      const isOwn = found !== null && !found.isPayer && found.order.number !== number;
      return isOwn && (await isOfSeveral(found.order.number)) ? 'of_several' : found;
    }
    const waiting = await unpaidOrderOfSession(platform.db, sessionHash);
    if (waiting) return { order: waiting, isPayer: true };
    if (platform.config.mode !== 'test' || !hasOpenedLab(platform, request)) return null;
    const order = await placeLabOrder(platform, {
      number: newNumber(),
      language: negotiated(request),
      sessionHash,
    });
    return { order, isPayer: true };
  };
}

export type FindOrderToPay = ReturnType<typeof orderToPay>;

/**
 * The order that a call pays, if the amount in the call is the order's, and in which role; otherwise the error
 * response. An attempt belongs to the session's cookie, so every response must set it.
 */
export async function payableOrder(
  c: Context,
  platform: Platform,
  find: FindOrderToPay,
  asked: {
    amount: string | number;
    orderReference?: string | undefined;
    orderId?: string | undefined;
    payer?: 'guest' | undefined;
  },
): Promise<Outcome<{ order: Order; by: Initiator }, Response>> {
  const { hash, setCookie } = ensureSession(platform, c.req.raw);
  const found = await find(c.req.raw, asked.orderReference ?? asked.orderId, hash);
  if (!found) return refused(paymentProblem('order_reference_required'));
  if (found === 'of_several') return refused(paymentProblem('order_of_several'));
  const { order, isPayer } = found;
  // To the headers of every response, a refusal's too: those of `c.header` are left out of one that is made elsewhere.
  giveCookie(c.res.headers, setCookie);
  const amount = parseMoney(asked.amount);
  const isRight = amount !== null && sameMoney(amount, totalOf(order));
  if (!isRight) return refused(wrongAmount(order));
  const isGuest = !isPayer || asked.payer === 'guest';
  return ok({ order, by: { role: isGuest ? 'guest' : 'payer', sessionHash: hash } });
}
