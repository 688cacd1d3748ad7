import { randomUUID } from 'node:crypto';
import { rowOf, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { linesToStore, type NewLine } from './order-lines-store.server.ts';
import { refundPolicy } from './refund-policy.ts';
import type { Order } from './store.server.ts';
import { order, orderLine } from './tables.server.ts';

export type NewOrder = {
  number: string;
  language: string;
  customer: { name: string; email: string };
  sessionHash: Buffer | null;
  lab?: boolean;
  lines: readonly NewLine[];
};

/**
 * A new order with its quoted lines, to be stored together; the total is the sum of the lines, in minor units. Its
 * payer is told by email if it is not paid minutes later (`tellUnpaid`).
 */
export function newOrder(placed: NewOrder, now: Date): { order: Order; rows: NewRow[] } {
  const row = {
    id: randomUUID(),
    number: placed.number,
    amountMinor: placed.lines.reduce((sum, line) => sum + line.amount.minor, 0),
    currency: 'USD',
    language: placed.language,
    customerName: placed.customer.name,
    customerEmail: placed.customer.email,
    sessionHash: placed.sessionHash,
    createdAt: now,
    lab: placed.lab ?? false,
    refundPolicy,
  };
  const unpaid = { paidAt: null, paidBy: null, closedAt: null, remindedAt: null };
  const lines = linesToStore(row.id, placed.lines).map((line) => rowOf(orderLine, line));
  const made = { ...row, ...unpaid, emailVersion: 0, failedStarts: 0 };
  return { order: made, rows: [rowOf(order, row), ...lines] };
}
