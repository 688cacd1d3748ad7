import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { FaultCall, FaultKind } from './scenarios.ts';
import {
  stripeDispute,
  stripeEvent,
  stripeRefund,
  stripeRequest,
  stripeSession,
  stripeFault,
} from './tables.server.ts';

export type StoredSession = typeof stripeSession.$inferSelect;
export type StoredRefund = typeof stripeRefund.$inferSelect;
export type StoredDispute = typeof stripeDispute.$inferSelect;
export type StoredEvent = typeof stripeEvent.$inferSelect;

export async function insertSession(tx: Transaction, row: typeof stripeSession.$inferInsert) {
  await tx.insert(stripeSession).values(row);
}

/** The session with an id of its own, of its payment intent, of its charge or of the merchant. */
export async function sessionBy(
  db: Queryable,
  name: 'id' | 'intentId' | 'chargeId' | 'clientReferenceId',
  value: string,
): Promise<StoredSession | null> {
  const [row] = await db.select().from(stripeSession).where(eq(stripeSession[name], value));
  return row ?? null;
}

/** Locked until the transaction ends, so that two payments or refunds run one after the other. */
export async function lockedSession(tx: Transaction, id: string): Promise<StoredSession | null> {
  const [row] = await tx
    .select()
    .from(stripeSession)
    .where(eq(stripeSession.id, id))
    .for('no key update');
  return row ?? null;
}

export async function changeSession(
  tx: Transaction,
  id: string,
  values: Partial<typeof stripeSession.$inferInsert>,
): Promise<void> {
  await tx.update(stripeSession).set(values).where(eq(stripeSession.id, id));
}

export async function insertRefund(tx: Transaction, row: StoredRefund) {
  await tx.insert(stripeRefund).values(row);
}

export async function refundById(db: Queryable, id: string): Promise<StoredRefund | null> {
  const [row] = await db.select().from(stripeRefund).where(eq(stripeRefund.id, id));
  return row ?? null;
}

/** The refunds of a session's charge, newest first. */
export async function refundsOf(db: Queryable, sessionId: string): Promise<StoredRefund[]> {
  return db
    .select()
    .from(stripeRefund)
    .where(eq(stripeRefund.sessionId, sessionId))
    .orderBy(desc(stripeRefund.createdAt), desc(stripeRefund.id));
}

export async function changeRefund(tx: Transaction, id: string, status: StoredRefund['status']) {
  await tx.update(stripeRefund).set({ status }).where(eq(stripeRefund.id, id));
}

/** A movement of money: a session's charge, or a refund of it. */
export type Moved = { at: Date; session: StoredSession; refund: StoredRefund | null };

/** What moved from a moment on and before another, newest first. */
export async function movedBetween(db: Queryable, from: Date, to: Date): Promise<Moved[]> {
  const charged = await db
    .select()
    .from(stripeSession)
    .where(
      and(
        eq(stripeSession.payment, 'succeeded'),
        gte(stripeSession.paidAt, from),
        lt(stripeSession.paidAt, to),
      ),
    );
  const refunded = await db
    .select({ refund: stripeRefund, session: stripeSession })
    .from(stripeRefund)
    .innerJoin(stripeSession, eq(stripeSession.id, stripeRefund.sessionId))
    .where(
      and(
        eq(stripeRefund.status, 'succeeded'),
        gte(stripeRefund.createdAt, from),
        lt(stripeRefund.createdAt, to),
      ),
    );
  const moved = [
    ...charged.map((session) => ({
      at: session.paidAt ?? session.createdAt,
      session,
      refund: null,
    })),
    ...refunded.map(({ session, refund }) => ({ at: refund.createdAt, session, refund })),
  ];
  return moved.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

export async function insertDispute(tx: Transaction, row: StoredDispute) {
  await tx.insert(stripeDispute).values(row);
}

export async function disputeById(db: Queryable, id: string): Promise<StoredDispute | null> {
  const [row] = await db.select().from(stripeDispute).where(eq(stripeDispute.id, id));
  return row ?? null;
}

export async function changeDispute(tx: Transaction, id: string, status: StoredDispute['status']) {
  await tx.update(stripeDispute).set({ status }).where(eq(stripeDispute.id, id));
}

/** The response to an idempotency key; the key is locked until the transaction ends. */
export async function earlierAnswer(tx: Transaction, key: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`stripe:${key}`}, 0))`);
  const [row] = await tx.select().from(stripeRequest).where(eq(stripeRequest.key, key));
  return row ?? null;
}

export async function storeAnswer(tx: Transaction, row: typeof stripeRequest.$inferInsert) {
  await tx.insert(stripeRequest).values(row);
}

export async function insertEvent(tx: Transaction, row: StoredEvent) {
  await tx.insert(stripeEvent).values(row);
}

export async function eventById(db: Queryable, id: string): Promise<StoredEvent | null> {
  const [row] = await db.select().from(stripeEvent).where(eq(stripeEvent.id, id));
  return row ?? null;
}

/** The webhooks about a session, oldest first. */
export async function eventsOf(db: Queryable, sessionId: string): Promise<StoredEvent[]> {
  return db
    .select()
    .from(stripeEvent)
    .where(eq(stripeEvent.sessionId, sessionId))
    .orderBy(asc(stripeEvent.createdAt), asc(stripeEvent.id));
}

export async function addFault(
  db: Queryable,
  { call, kind, at }: { call: FaultCall; kind: FaultKind; at: Date },
): Promise<void> {
  await db.insert(stripeFault).values({ id: randomUUID(), call, kind, createdAt: at });
}

/** Consumes the oldest fault planned for this call. */
export async function takeFault(db: Queryable, call: FaultCall): Promise<FaultKind | null> {
  const oldest = db
    .select({ id: stripeFault.id })
    .from(stripeFault)
    .where(eq(stripeFault.call, call))
    .orderBy(asc(stripeFault.createdAt))
    .limit(1)
    .for('no key update', { skipLocked: true });
  const [row] = await db
    .delete(stripeFault)
    .where(and(eq(stripeFault.id, sql`(${oldest})`)))
    .returning({ kind: stripeFault.kind });
  return row?.kind ?? null;
}
