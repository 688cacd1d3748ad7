import { randomUUID } from 'node:crypto';
import { raiseAlert } from '~/features/payment/settlement/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { queueEmail } from '~/features/email/queue.server.ts';
import { linesOf, payOrder, type Order, type OrderLine } from './store.server.ts';

/**
 * Marks the order behind a payment as paid, within the transaction that completed the payment, and says which
 * applications it holds. Once only: a second call finds nothing to do and answers null. An order that was closed while
 * the traveller stood at the partner's page is paid all the same, and raises an alert: a person gives the money back.
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
  const lines = await linesOf(tx, order.id);
  // Nothing is done for a closed order: its e-mail says so, and promises nothing. The lab's hold nothing to write about.
  const kind = order.closedAt ? 'paid_closed' : 'received';
  if (!order.lab) await queueEmail(tx, { kind, about: order.number, createdAt: paid.at });
  const applicationNumbers = [...new Set(lines.map((line) => line.applicationNumber))];
  return { order, lines, applicationNumbers };
}
