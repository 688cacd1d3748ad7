import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { askAbout } from '~/features/payment/settlement/sweep.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { isOpen } from '~/features/payment/machine.ts';
import {
  attemptsFor,
  lockReference,
  type Attempt,
} from '~/features/payment/settlement/store.server.ts';
import {
  isDecidedByPartner,
  supersedeAttempts,
} from '~/features/payment/settlement/supersede.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { dropPayerDevices } from './payer-store.server.ts';
import {
  lockOrder,
  removeLines,
  replaceOrder,
  type NewLine,
  type Order,
  type OrderLine,
} from '../store.server.ts';

/** Why what an order holds cannot be changed: it is paid, closed, or a partner is deciding on a payment of it. */
export type Unchangeable = 'paid' | 'closed' | 'confirming';

/**
 * Asks the partners about the open attempts of an order before it is changed, so that somebody who has just paid hears of
 * it and does not pay twice. Takes no money.
 */
export async function askBeforeChange(
  platform: Platform,
  { providers, onPaid }: Payments,
  orderNumber: string,
): Promise<void> {
  for (const attempt of await attemptsFor(platform.db, orderNumber)) {
    if (!isOpen(attempt.state)) continue;
    await askAbout(platform, providers, attempt, onPaid, { mayCapture: false }).catch(
      (err: unknown) => {
        platform.log.warn({ err, attemptId: attempt.id }, 'asking the payment provider failed');
      },
    );
  }
}

/**
 * Holds what pays an order until the transaction ends. The locks of a change, in this order, as settling and deciding take
 * theirs: the payments, the rows of the applications, the row of the order (`lockUnpaid`).
 */
export const lockPayments = (tx: Transaction, orderNumber: string): Promise<void> =>
  lockReference(tx, orderNumber);

/** The order's row, held; refused where nothing of it can be changed any more. Call it after `lockPayments`. */
export async function lockUnpaid(
  tx: Transaction,
  orderNumber: string,
): Promise<Outcome<Order, Unchangeable>> {
  const found = await lockOrder(tx, orderNumber);
  if (!found) throw new Error('No such order');
  const why = unchangeable(found, await attemptsFor(tx, orderNumber));
  return why ? refused(why) : ok(found);
}

/** Why an order cannot be changed; null where it can. */
export function unchangeable(
  { paidAt, closedAt }: Pick<Order, 'paidAt' | 'closedAt'>,
  attempts: readonly Pick<Attempt, 'state' | 'supersededAt'>[],
): Unchangeable | null {
  if (paidAt) return 'paid';
  if (closedAt) return 'closed';
  return attempts.some(isDecidedByPartner) ? 'confirming' : null;
}

export type OrderChange = {
  language: string;
  customer: { name: string; email: string };
  /** Session of the payer's browser that changes it. */
  by: Buffer | null;
  /** All lines of the order, as quoted now. */
  lines: readonly NewLine[];
};

/**
 * Puts other lines into an unpaid order, at the prices of this moment; its number stays. Where it comes to another amount
 * the open attempts end, and a capture of the old amount goes back whole (`supersedeAttempts`). With another e-mail address
 * what was sent to the old one, which may be a stranger's, opens nothing any more. Call it with the locks of `lockPayments`
 * and `lockUnpaid`.
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
    // `lockUnpaid` has looked, and nothing about the payments can change since.
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
 * Takes lines out of an unpaid order, which comes to `amountMinor` then; what stays keeps its price, and the order its
 * refund policy. No open attempt pays it any more, not even one that a partner is deciding on: what is captured all the
 * same goes back whole. Call it with the locks of `lockPayments` and of the order's row.
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
