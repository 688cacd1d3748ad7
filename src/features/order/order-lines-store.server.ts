import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import type { Money } from '~/base/money.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { ServiceCode } from './service-code.ts';
import type { Order } from './store.server.ts';
import { order, orderLine } from './tables.server.ts';

export type OrderLine = typeof orderLine.$inferSelect;

export type NewLine = {
  applicationNumber: string;
  code: string;
  detail: ServiceCode | null;
  amount: Money;
};

export async function linesOf(db: Queryable, orderId: string): Promise<OrderLine[]> {
  return db
    .select()
    .from(orderLine)
    .where(eq(orderLine.orderId, orderId))
    .orderBy(asc(orderLine.position));
}

/** What an unpaid order asked for before lines were removed from it, or it was closed. */
export type OrderBefore = Pick<Order, 'id' | 'amountMinor' | 'failedStarts'> & {
  lines: OrderLine[];
};

/** Takes an unpaid order back to its lines, amount and openness before. */
export async function restoreOrder(
  tx: Transaction,
  { id, lines, ...before }: OrderBefore,
): Promise<void> {
  await tx.insert(orderLine).values(lines).onConflictDoNothing({ target: orderLine.id });
  await tx
    .update(order)
    .set({ ...before, closedAt: null })
    .where(eq(order.id, id));
}

/** The rows of new lines, in the order given. */
export const linesToStore = (orderId: string, lines: readonly NewLine[]) =>
  lines.map((line, position) => ({
    id: randomUUID(),
    orderId,
    position,
    applicationNumber: line.applicationNumber,
    code: line.code,
    detail: line.detail,
    amountMinor: line.amount.minor,
  }));
