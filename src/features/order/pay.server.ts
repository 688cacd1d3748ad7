import { randomUUID } from 'node:crypto';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import {
  attemptById,
  attemptsByReference,
  raiseAlert,
} from '~/features/payment/settlement/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { payRefusal } from './may-pay.ts';
import { tellUnpaid } from './payer/remind-unpaid.server.ts';
import {
  linesByOrder,
  type OrderLine,
  orderByNumber,
  payOrder,
  type Order,
} from './store.server.ts';

/**
 * Marks an order as paid, in the transaction that completed the payment, and returns its applications; null where it
 * was paid before. An order that was closed while the traveller was at the provider is paid all the same and raises an
 * alert, as staff must refund it.
 */
export async function markPaid(
  tx: Transaction,
  paid: { reference: string; attemptId: string; at: Date },
): Promise<{ order: Order; lines: OrderLine[]; applicationNumbers: string[] } | null> {
  const order = await payOrder(tx, {
    number: paid.reference,
    attemptId: paid.attemptId,
    at: paid.at,
  });
  if (!order) return null;
  if (order.closedAt) {
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'closed_order_paid',
      attemptId: paid.attemptId,
      detail: { closedAt: order.closedAt.toISOString() },
      raisedAt: paid.at,
      once: `closed:${paid.attemptId}`,
    });
  }
  const lines = await linesByOrder(tx, order.id);
  // The email of a closed order says that it will be refunded. Lab orders hold no applications.
  const kind = order.closedAt ? 'paid_closed' : 'received';
  if (!order.lab) await queueEmail(tx, { kind, about: order.number, createdAt: paid.at });
  const applicationNumbers = [...new Set(lines.map((line) => line.applicationNumber))];
  return { order, lines, applicationNumbers };
}

/**
 * Tells the payer of an order, by email, that a payment is held by its provider; or, once such a payment has come to
 * nothing, that the order may be paid again. Safe to repeat while the attempt is held.
 */
export async function queueHeldEmail({ db, now }: Platform, attemptId: string): Promise<void> {
  const attempt = await attemptById(db, attemptId);
  const order = attempt && (await orderByNumber(db, attempt.reference));
  if (!attempt || !order || order.lab) return;
  const createdAt = now();
  const { number } = order;
  const refusal = payRefusal(order, await attemptsByReference(db, number));
  await db.transaction(async (tx) => {
    if (attempt.state === 'pending' && refusal === 'held') {
      await queueEmail(tx, { kind: 'held', about: attemptId, createdAt });
    } else if (refusal === null) {
      await tellUnpaid(tx, order, createdAt);
    }
  });
}
