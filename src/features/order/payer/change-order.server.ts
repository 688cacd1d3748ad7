import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { askProvider } from '~/features/payment/settlement/sweep.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { Awaitable } from '~/features/payment/awaited.ts';
import { isOpen } from '~/features/payment/machine.ts';
import { attemptsByReference, lockReference } from '~/features/payment/settlement/store.server.ts';
import { supersedeAttempts } from '~/features/payment/settlement/supersede.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { payRefusal } from '../may-pay.ts';
import { dropPayerDevices } from './payer.server.ts';
import {
  type NewLine,
  type OrderLine,
  linesToStore,
  lockOrder,
  type Order,
} from '../store.server.ts';
import { and, eq, notInArray } from 'drizzle-orm';
import { refundPolicy } from '../refund-policy.ts';
import { order, orderLine } from '../tables.server.ts';

/** Why an order cannot be changed: it is paid, closed, or a payment of it is being confirmed. */
export type Unchangeable = 'paid' | 'closed' | 'confirming';

/**
 * Asks the providers about the open attempts of an order before it is changed, so that somebody who has just paid does
 * not pay twice. Captures nothing.
 */
export async function askBeforeChange(
  platform: Platform,
  { providers, onPaid }: Payments,
  orderNumber: string,
): Promise<void> {
  for (const attempt of await attemptsByReference(platform.db, orderNumber)) {
    if (!isOpen(attempt.state)) continue;
    await askProvider(platform, providers, attempt, onPaid, { mayCapture: false }).catch(
      (err: unknown) => {
        platform.log.warn({ err, attemptId: attempt.id }, 'asking the payment provider failed');
      },
    );
  }
}

/**
 * Locks the payments of an order until the transaction ends. A change takes its locks in the same order as settling and
 * deciding: the payments, the application rows, the order row (`lockUnpaid`).
 */
export const lockPayments = (tx: Transaction, orderNumber: string): Promise<void> =>
  lockReference(tx, orderNumber);

/** Locks the order's row; refuses an order that can no longer be changed. Call it after `lockPayments`. */
export async function lockUnpaid(
  tx: Transaction,
  orderNumber: string,
): Promise<Outcome<Order, Unchangeable>> {
  const found = await lockOrder(tx, orderNumber);
  if (!found) throw new Error('No such order');
  const why = unchangeable(found, await attemptsByReference(tx, orderNumber));
  return why ? refused(why) : ok(found);
}

/** Why an order cannot be changed; null where it can: whatever keeps it from being paid. */
export function unchangeable(
  { paidAt, closedAt }: Pick<Order, 'paidAt' | 'closedAt'>,
  attempts: readonly Awaitable[],
): Unchangeable | null {
  const why = payRefusal({ paidAt, closedAt }, attempts);
  return why === null || why === 'paid' || why === 'closed' ? why : 'confirming';
}

type OrderChange = {
  language: string;
  customer: { name: string; email: string };
  /** Session hash of the payer's browser that makes the change. */
  by: Buffer | null;
  /** All lines of the order, at current prices. */
  lines: readonly NewLine[];
};

/**
 * Replaces the lines of an unpaid order, at the prices of this moment; its number stays. Where the amount changes, open
 * attempts end and a capture of the old amount is refunded completely (`supersedeAttempts`). With another email
 * address, links sent to the old one, possibly a stranger's, stop working. Needs the locks of `lockPayments` and
 * `lockUnpaid`.
 */
export async function changeOrder(
  tx: Transaction,
  held: Order,
  { language, customer, by, lines }: OrderChange,
  now: Date,
): Promise<Order> {
  const amountMinor = lines.reduce((sum, { amount }) => sum + amount.minor, 0);
  if (amountMinor !== held.amountMinor) {
    const ended = await supersedeAttempts(tx, held.number, now);
    // `lockUnpaid` has checked, and the locks let nothing change since.
    if (!ended.ok) throw new Error(`The order cannot be changed: ${ended.error}`);
  }
  const isOtherEmail = customer.email.toLowerCase() !== held.customerEmail.toLowerCase();
  if (isOtherEmail) await dropPayerDevices(tx, held.id, { except: by });
  return replaceOrder(tx, held.id, {
    amountMinor,
    emailVersion: held.emailVersion + (isOtherEmail ? 1 : 0),
    language,
    customerName: customer.name,
    customerEmail: customer.email,
    lines,
  });
}

/**
 * Removes lines from an unpaid order, leaving `amountMinor`; the rest keeps its prices, and the order its refund
 * policy. Open attempts, also those that a provider is deciding on, no longer pay it: what they capture is refunded
 * completely. Needs the locks of `lockPayments` and of the order's row.
 */
export async function shortenOrder(
  tx: Transaction,
  held: Order,
  { lines, amountMinor }: { lines: readonly OrderLine[]; amountMinor: number },
  now: Date,
): Promise<void> {
  const ended = await supersedeAttempts(tx, held.number, now, { takenOn: 'supersede' });
  if (!ended.ok) throw new Error(`The order cannot be shortened: ${ended.error}`);
  await removeLines(tx, held.id, { kept: lines.map(({ id }) => id), amountMinor });
}

/** Changes lines, payer's name or amount of an unpaid order; its number stays. */
async function replaceOrder(
  tx: Transaction,
  id: string,
  {
    lines,
    ...values
  }: Pick<Order, 'amountMinor' | 'language' | 'customerName' | 'customerEmail' | 'emailVersion'> & {
    lines: readonly NewLine[];
  },
): Promise<Order> {
  await tx.delete(orderLine).where(eq(orderLine.orderId, id));
  await tx.insert(orderLine).values(linesToStore(id, lines));
  const [row] = await tx
    .update(order)
    // A new refund policy applies, because the order is placed anew now.
    .set({ ...values, failedStarts: 0, refundPolicy })
    .where(eq(order.id, id))
    .returning();
  if (!row) throw new Error('The order is gone');
  return row;
}

/** Deletes all lines of an unpaid order but some, whose sum is `amountMinor`; the rest keep their positions. */
async function removeLines(
  tx: Transaction,
  id: string,
  { kept, amountMinor }: { kept: readonly string[]; amountMinor: number },
): Promise<void> {
  await tx
    .delete(orderLine)
    .where(and(eq(orderLine.orderId, id), notInArray(orderLine.id, [...kept])));
  await tx.update(order).set({ amountMinor, failedStarts: 0 }).where(eq(order.id, id));
}
