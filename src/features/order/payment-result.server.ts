import { z } from 'zod';
import { askBriefly } from '~/features/payment/ask-briefly.server.ts';
import type { Payments } from '~/features/payment/context.server.ts';
import { isOpen } from '~/features/payment/machine.ts';
import { attemptById, attemptsFor, type Attempt } from '~/features/payment/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findOrder } from './checkout.server.ts';
import { orderByNumber, type Order } from './store.server.ts';

/** What became of paying an order. `attempt`: the one that paid, else the one that was asked about, else the newest. */
export type PaymentResult = {
  kind: 'paid' | 'open' | 'stopped';
  order: Order;
  attempt: Attempt | null;
  /** Whether the browser named the attempt, whose random id only the payer's browser and the provider know. */
  isPayer: boolean;
  /** The number to show and to go on with: the order's for its payer, for others the one they asked by. */
  number: string;
  /** The attempt that the browser named, where another one has paid. */
  overtaken: Attempt | null;
};

const uuid = z.uuid();

/**
 * Reads a result page's query: `payment` is an attempt's id, `order` (or `orderReference`) a number. They only name
 * what to look at; everything shown comes from the database. An open attempt is asked about first.
 */
export async function paymentResult(
  platform: Platform,
  payments: Payments,
  query: URLSearchParams,
): Promise<PaymentResult | null> {
  const named = uuid.safeParse(query.get('payment'));
  const asked = named.success ? await attemptById(platform.db, named.data) : null;
  const number = asked?.reference ?? query.get('order') ?? query.get('orderReference');
  const found = number ? await findOrder(platform, number) : null;
  if (!found) return null;
  const attempts = await attemptsFor(platform.db, found.number);
  const shown = asked ?? attempts.at(-1) ?? null;
  const attempt = shown && !found.paidAt ? await askBriefly(platform, payments, shown) : shown;
  // Asking may have paid it.
  const order = (await orderByNumber(platform.db, found.number)) ?? found;
  const isPayer = asked !== null;
  const shared = { order, isPayer, number: isPayer || !number ? order.number : number };
  if (order.paidAt) {
    const paying = attempts.find(({ id }) => id === order.paidBy) ?? attempt;
    const overtaken = asked && asked.id !== order.paidBy ? asked : null;
    return { ...shared, kind: 'paid', attempt: paying, overtaken };
  }
  const kind = attempt && isOpen(attempt.state) ? 'open' : 'stopped';
  return { ...shared, kind, attempt, overtaken: null };
}

/** The result page's query that names the same again. */
export function queryOf({ number, attempt, isPayer, overtaken }: PaymentResult): URLSearchParams {
  const named = overtaken ?? attempt;
  return new URLSearchParams({
    order: number,
    ...(named && isPayer ? { payment: named.id } : {}),
  });
}
