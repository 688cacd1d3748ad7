import {
  awaitedReason,
  awaitedReasons,
  type Awaitable,
  type AwaitedReason,
} from '~/features/payment/awaited.ts';
import { isOpen } from '~/features/payment/machine.ts';

/**
 * Why nobody may pay an order. `held`, `confirming` and `awaited`: an attempt, whoever began it, may be captured at any
 * moment. `superseded`, `ended`: of the attempt that somebody wants to go on with, not of the order.
 */
export type PayRefusal = 'paid' | 'closed' | AwaitedReason | 'superseded' | 'ended';

/**
 * The one rule for paying, which pages, calls, starts and emails ask: null where the order may be paid now, by its payer
 * or by anybody else who knows its number, and otherwise why not. `attempts`: all of the order, whoever began them.
 * `goingOn`: the one of them that somebody goes on with at its provider's page, instead of beginning another one.
 */
export function payRefusal<Attempt extends Awaitable>(
  order: { paidAt: Date | null; closedAt: Date | null },
  attempts: readonly Attempt[],
  goingOn: Attempt | null = null,
): PayRefusal | null {
  if (order.paidAt !== null) return 'paid';
  if (order.closedAt !== null) return 'closed';
  const [awaited] = attempts.flatMap((attempt) => awaitedReason(attempt) ?? []);
  if (awaited !== undefined) return awaited;
  if (goingOn === null) return null;
  if (goingOn.supersededAt !== null) return 'superseded';
  return isOpen(goingOn.state) ? null : 'ended';
}

/** Whether a code says that a payment is being confirmed, so that the payer is asked to wait and not to pay again. */
export const isAwaited = (code: string | null): code is AwaitedReason =>
  awaitedReasons.some((reason) => reason === code);
