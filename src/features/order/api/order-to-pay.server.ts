import type { Context } from 'hono';
import { parseMoney, sameMoney } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Initiator } from '~/features/payment/initiator.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { negotiated } from '~/i18n/page-language.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { placeLabOrder } from '../lab-order.server.ts';
import { noOrder, wrongAmount } from '../payment-problem.server.ts';
import { ensureSession, hasOpenedLab } from '../payer/session.server.ts';
import { orderByReference, totalOf, unpaidOrderOfSession, type Order } from '../store.server.ts';

/**
 * Makes the function that finds the order a payment call pays. `normalise` reads a number as typed and `newNumber`
 * makes one for a lab order; both come from the features that assign numbers.
 */
export function orderToPay(
  platform: Platform,
  { normalise, newNumber }: { normalise: (typed: string) => string; newNumber: () => string },
) {
  /**
   * The order of a reference; without one the unpaid order of the browser's session; otherwise, in test mode and for a
   * session that has opened a page of the payment lab, a marked lab order that the session keeps until it is paid. Null
   * where there is none.
   */
  return async function find(
    request: Request,
    reference: string | undefined,
    sessionHash: Buffer,
  ): Promise<{ order: Order; isPayer: boolean } | null> {
    if (reference) return orderByReference(platform.db, normalise(reference), sessionHash);
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
  },
): Promise<Outcome<{ order: Order; by: Initiator }, Response>> {
  const { hash, setCookie } = ensureSession(platform, c.req.raw);
  const found = await find(c.req.raw, asked.orderReference ?? asked.orderId, hash);
  if (!found) return refused(noOrder());
  const { order, isPayer } = found;
  giveCookie({ append: (name, value) => c.header(name, value, { append: true }) }, setCookie);
  const amount = parseMoney(asked.amount);
  const isRight = amount !== null && sameMoney(amount, totalOf(order));
  if (!isRight) return refused(wrongAmount(order));
  return ok({ order, by: { role: isPayer ? 'payer' : 'guest', sessionHash: hash } });
}
