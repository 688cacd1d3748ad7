import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { order, orderReceipt, receiptCounter } from '../tables.server.ts';
import { receiptNumber, type ReceiptKind } from './receipt-facts.ts';

export type Receipt = typeof orderReceipt.$inferSelect;

export const numberOf = ({ kind, year, serial }: Pick<Receipt, 'kind' | 'year' | 'serial'>) =>
  receiptNumber(kind, year, serial);

/**
 * The next number of a kind in a year. It locks the counter's row until the transaction ends, so call it last: all
 * others who need a number wait.
 */
export async function nextSerial(tx: Transaction, kind: ReceiptKind, year: number) {
  const [row] = await tx
    .insert(receiptCounter)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [receiptCounter.kind, receiptCounter.year],
      set: { last: sql`${receiptCounter.last} + 1` },
    })
    .returning({ last: receiptCounter.last });
  if (!row) throw new Error('The counter of receipts gave no number');
  return row.last;
}

export async function insertReceipt(tx: Transaction, row: typeof orderReceipt.$inferInsert) {
  await tx.insert(orderReceipt).values(row);
}

export async function receiptById(db: Queryable, id: string): Promise<Receipt | null> {
  const [row] = await db.select().from(orderReceipt).where(eq(orderReceipt.id, id));
  return row ?? null;
}

/** The receipt of an order and its credit notes, in the order of issue. */
export async function receiptsOfOrder(db: Queryable, orderId: string): Promise<Receipt[]> {
  return db
    .select()
    .from(orderReceipt)
    .where(eq(orderReceipt.orderId, orderId))
    .orderBy(asc(orderReceipt.issuedAt), sql`${orderReceipt.kind} desc`, asc(orderReceipt.serial));
}

export async function creditNoteOfRefund(db: Queryable, refundId: string): Promise<Receipt | null> {
  const [row] = await db.select().from(orderReceipt).where(eq(orderReceipt.refundId, refundId));
  return row ?? null;
}

/** The order that a receipt or credit note is about. */
export async function orderNumberOfReceipt(
  db: Queryable,
  { kind, year, serial }: Pick<Receipt, 'kind' | 'year' | 'serial'>,
): Promise<string | null> {
  const [row] = await db
    .select({ number: order.number })
    .from(orderReceipt)
    .innerJoin(order, eq(order.id, orderReceipt.orderId))
    .where(
      and(
        eq(orderReceipt.kind, kind),
        eq(orderReceipt.year, year),
        eq(orderReceipt.serial, serial),
      ),
    );
  return row?.number ?? null;
}
