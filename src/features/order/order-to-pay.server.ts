import type { Context } from 'hono';
import { parseMoney, sameMoney, usd, toDecimal } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Initiator } from '~/features/payment/initiator.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { negotiateLanguage } from '~/i18n/page-language.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { ensureSession, hasOpenedLab } from './payer/session.server.ts';
import {
  orderByReference,
  orderTotal,
  unpaidOrderBySession,
  type Order,
  type NewOrder,
  newOrder,
} from './store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { storeRows } from '~/platform/postgres/store-together.server.ts';
import type { ProblemCode } from '~/platform/http/problem-codes.ts';
import { problemDetail, problem, type HttpProblem } from '~/platform/http/problem.server.ts';
import type { CheckoutError } from './checkout.server.ts';

/** The amount of a test payment: a 7-day insurance, 114.00 USD, as the customer's specification has it. */
const LAB_AMOUNT = usd(11_400);

/**
 * Places a marked order without applications, for the test pages: it does not appear in queue or statistics and causes
 * no emails or receipts. Test mode only, which the caller has checked.
 */
export async function placeLabOrder(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  placed: { number: string; language: string; sessionHash: Buffer | null },
): Promise<Order> {
  const { number } = placed;
  return insertOrder(
    db,
    {
      ...placed,
      customer: { name: 'Lab', email: 'lab@lale.example' },
      lab: true,
      lines: [{ applicationNumber: number, code: 'lab', detail: null, amount: LAB_AMOUNT }],
    },
    now(),
  );
}

export async function insertOrder(db: Queryable, placed: NewOrder, now: Date): Promise<Order> {
  const { order: made, rows } = newOrder(placed, now);
  await storeRows(db, { rows });
  return made;
}

/** The response of a failed payment call, with `success: false` and `error` as the specification's client expects. */
export const paymentProblem = (
  code: ProblemCode,
  { extra, ...more }: Omit<HttpProblem, 'code' | 'detail'> = {},
): Response =>
  problem({ code, ...more, extra: { success: false, error: problemDetail(code), ...extra } });

/** 409 with the correct amount: no payment was begun. */
export const wrongAmount = (order: Order) =>
  paymentProblem('wrong_amount', { extra: { totalAmount: toDecimal(orderTotal(order)) } });

/** The response for a payment that did not begin. */
export function checkoutProblem(error: CheckoutError): Response {
  switch (error.code) {
    case 'closed':
      return paymentProblem('order_closed');
    case 'held':
    case 'confirming':
    case 'awaited':
      return paymentProblem('payment_confirming', { extra: { reason: error.code } });
    case 'changed':
      return paymentProblem('order_changed');
    case 'too_many_starts':
      return paymentProblem('too_many_payments', {
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      });
    case 'start_failed':
      return paymentProblem('payment_start_failed', { extra: { retries: error.retries } });
    default:
      return paymentProblem(error.code);
  }
}

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
    const waiting = await unpaidOrderBySession(platform.db, sessionHash);
    if (waiting) return { order: waiting, isPayer: true };
    if (platform.config.mode !== 'test' || !hasOpenedLab(platform, request)) return null;
    const order = await placeLabOrder(platform, {
      number: newNumber(),
      language: negotiateLanguage(request),
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
  const isRight = amount !== null && sameMoney(amount, orderTotal(order));
  if (!isRight) return refused(wrongAmount(order));
  const isGuest = !isPayer || asked.payer === 'guest';
  return ok({ order, by: { role: isGuest ? 'guest' : 'payer', sessionHash: hash } });
}
