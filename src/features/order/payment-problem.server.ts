import { toDecimal } from '~/base/money.ts';
import type { ProblemCode } from '~/platform/http/problem-codes.ts';
import { problem } from '~/platform/http/problem.server.ts';
import type { CheckoutError } from './checkout.server.ts';
import { totalOf, type Order } from './store.server.ts';

/** The response of a failed payment call, with `success: false` as the specification's client expects. */
export const paymentProblem = (
  status: number,
  code: ProblemCode,
  detail: string,
  extra: object = {},
): Response =>
  problem({ status, code, detail, extra: { success: false, error: detail, ...extra } });

export const noOrder = () =>
  paymentProblem(422, 'order_reference_required', 'Payment needs the reference of an unpaid order');

/** Too many starts of one order, on pages and calls together. */
const tooManyStarts = (retryAfterSeconds: number): Response =>
  problem({
    status: 429,
    code: 'too_many_payments',
    detail: 'Too many payments of this order were started. Try again later',
    headers: { 'Retry-After': String(retryAfterSeconds) },
    extra: { success: false, error: 'Too many payments of this order were started' },
  });

/** 409 with the correct amount: no payment was begun. */
export const wrongAmount = (order: Order) =>
  paymentProblem(409, 'wrong_amount', 'Payment amount differs from the order', {
    totalAmount: toDecimal(totalOf(order)),
  });

/** The response for a payment that did not begin. */
export function checkoutProblem(error: CheckoutError): Response {
  switch (error.code) {
    case 'already_paid':
      return paymentProblem(409, 'already_paid', 'This order is already paid');
    case 'closed':
      return paymentProblem(409, 'order_closed', 'This order was closed before it was paid');
    case 'held':
    case 'confirming':
    case 'awaited':
      return paymentProblem(
        409,
        'payment_confirming',
        'Another payment of this order is being confirmed',
        { reason: error.code },
      );
    case 'changed':
      return paymentProblem(409, 'order_changed', 'This order has just been changed');
    case 'too_many_starts':
      return tooManyStarts(error.retryAfterSeconds);
    case 'start_failed':
      return paymentProblem(502, 'payment_start_failed', error.message, {
        retries: error.retries,
      });
    case 'no_provider':
      return paymentProblem(503, 'no_provider', 'Payment is not available');
  }
}
