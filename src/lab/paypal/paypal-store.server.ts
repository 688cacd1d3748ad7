import { randomUUID } from 'node:crypto';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { FaultCall, FaultKind } from './scenarios.ts';
import {
  paypalCapture,
  paypalEvent,
  paypalOrder,
  paypalRefund,
  paypalRequest,
  paypalFault,
} from './tables.server.ts';

export type StoredOrder = typeof paypalOrder.$inferSelect;
export type StoredCapture = typeof paypalCapture.$inferSelect;
export type StoredRefund = typeof paypalRefund.$inferSelect;
export type StoredEvent = typeof paypalEvent.$inferSelect;

/** An order with its captures and refunds. */
export type WholeOrder = { order: StoredOrder; captures: StoredCapture[]; refunds: StoredRefund[] };

export async function insertOrder(tx: Transaction, row: typeof paypalOrder.$inferInsert) {
  await tx.insert(paypalOrder).values(row);
}

/** Locked until the transaction ends, so that two captures run one after the other. */
export async function lockedOrder(tx: Transaction, id: string): Promise<StoredOrder | null> {
  const [row] = await tx
    .select()
    .from(paypalOrder)
    .where(eq(paypalOrder.id, id))
    .for('no key update');
  return row ?? null;
}

export async function wholeOrder(db: Queryable, id: string): Promise<WholeOrder | null> {
  const [order] = await db.select().from(paypalOrder).where(eq(paypalOrder.id, id));
  if (!order) return null;
  const captures = await db
    .select()
    .from(paypalCapture)
    .where(eq(paypalCapture.orderId, id))
    .orderBy(asc(paypalCapture.createdAt));
  const refunds = await db
    .select()
    .from(paypalRefund)
    .where(eq(paypalRefund.orderId, id))
    .orderBy(asc(paypalRefund.createdAt), asc(paypalRefund.id));
  return { order, captures, refunds };
}

/** The order with a merchant's custom id. */
export async function orderByCustomId(
  db: Queryable,
  customId: string,
): Promise<StoredOrder | null> {
  const [row] = await db.select().from(paypalOrder).where(eq(paypalOrder.customId, customId));
  return row ?? null;
}

export async function changeOrder(
  tx: Transaction,
  id: string,
  values: Partial<typeof paypalOrder.$inferInsert>,
) {
  await tx.update(paypalOrder).set(values).where(eq(paypalOrder.id, id));
}

export async function insertCapture(tx: Transaction, row: StoredCapture) {
  await tx.insert(paypalCapture).values(row);
}

export async function captureById(db: Queryable, id: string): Promise<StoredCapture | null> {
  const [row] = await db.select().from(paypalCapture).where(eq(paypalCapture.id, id));
  return row ?? null;
}

export async function changeCapture(tx: Transaction, id: string, status: StoredCapture['status']) {
  await tx.update(paypalCapture).set({ status }).where(eq(paypalCapture.id, id));
}

export async function insertRefund(tx: Transaction, row: StoredRefund) {
  await tx.insert(paypalRefund).values(row);
}

export async function refundById(db: Queryable, id: string): Promise<StoredRefund | null> {
  const [row] = await db.select().from(paypalRefund).where(eq(paypalRefund.id, id));
  return row ?? null;
}

export async function changeRefund(tx: Transaction, id: string, status: StoredRefund['status']) {
  await tx.update(paypalRefund).set({ status }).where(eq(paypalRefund.id, id));
}

/** The response to a request id; the key is locked until the transaction ends. */
export async function earlierAnswer(tx: Transaction, key: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`paypal:${key}`}, 0))`);
  const [row] = await tx.select().from(paypalRequest).where(eq(paypalRequest.key, key));
  return row ?? null;
}

export async function storeAnswer(tx: Transaction, key: string, status: number, body: object) {
  await tx.insert(paypalRequest).values({ key, status, body });
}

export async function insertEvent(tx: Transaction, row: StoredEvent) {
  await tx.insert(paypalEvent).values(row);
}

export async function eventById(db: Queryable, id: string): Promise<StoredEvent | null> {
  const [row] = await db.select().from(paypalEvent).where(eq(paypalEvent.id, id));
  return row ?? null;
}

/** The webhooks of an order, oldest first. */
export async function eventsOf(db: Queryable, orderId: string): Promise<StoredEvent[]> {
  return db
    .select()
    .from(paypalEvent)
    .where(eq(paypalEvent.orderId, orderId))
    .orderBy(asc(paypalEvent.createdAt), asc(paypalEvent.id));
}

export async function addFault(
  db: Queryable,
  fault: { call: FaultCall; kind: FaultKind; at: Date },
) {
  const { call, kind, at } = fault;
  await db.insert(paypalFault).values({ id: randomUUID(), call, kind, createdAt: at });
}

/** Consumes the oldest fault planned for this call. */
export async function takeFault(db: Queryable, call: FaultCall): Promise<FaultKind | null> {
  const oldest = db
    .select({ id: paypalFault.id })
    .from(paypalFault)
    .where(eq(paypalFault.call, call))
    .orderBy(asc(paypalFault.createdAt))
    .limit(1)
    .for('no key update', { skipLocked: true });
  const [row] = await db
    .delete(paypalFault)
    .where(and(eq(paypalFault.id, sql`(${oldest})`)))
    .returning({ kind: paypalFault.kind });
  return row?.kind ?? null;
}
