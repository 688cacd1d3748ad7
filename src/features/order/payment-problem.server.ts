import { toDecimal } from '~/base/money.ts';
import type { ProblemCode } from '~/platform/http/problem-codes.ts';
import { detailOf, problem, type Problem } from '~/platform/http/problem.server.ts';
import type { CheckoutError } from './checkout.server.ts';
import { totalOf, type Order } from './store.server.ts';

/** The response of a failed payment call, with `success: false` and `error` as the specification's client expects. */
export const paymentProblem = (
  code: ProblemCode,
  { extra, ...more }: Omit<Problem, 'code' | 'detail'> = {},
): Response =>
  problem({ code, ...more, extra: { success: false, error: detailOf(code), ...extra } });

/** 409 with the correct amount: no payment was begun. */
export const wrongAmount = (order: Order) =>
  paymentProblem('wrong_amount', { extra: { totalAmount: toDecimal(totalOf(order)) } });

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
