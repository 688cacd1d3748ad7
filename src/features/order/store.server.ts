import { and, desc, eq, inArray, isNull, or, sql, asc } from 'drizzle-orm';
import { usd, type Money } from '~/base/money.ts';
import type { DueCondition } from '~/features/payment/settlement/store.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import { order, orderLine, orderPayerDevice } from './tables.server.ts';
import { randomUUID } from 'node:crypto';
import type { ServiceCode } from './service-code.ts';
import { newRow, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { refundPolicy } from './refund-policy.ts';

export type Order = typeof order.$inferSelect;

/** An order, locked until the transaction ends. */
export async function lockOrder(tx: Transaction, number: string): Promise<Order | null> {
  const [row] = await tx.select().from(order).where(eq(order.number, number)).for('no key update');
  return row ?? null;
}

export async function orderById(db: Queryable, id: string): Promise<Order | null> {
  const [row] = await db.select().from(order).where(eq(order.id, id));
  return row ?? null;
}

export async function orderByNumber(db: Queryable, number: string): Promise<Order | null> {
  const [row] = await db.select().from(order).where(eq(order.number, number));
  return row ?? null;
}

/** The order of an application, by the application's own number. */
export async function orderByApplication(db: Queryable, number: string): Promise<Order | null> {
  const [row] = await db
    .select({ order })
    .from(orderLine)
    .innerJoin(order, eq(order.id, orderLine.orderId))
    .where(eq(orderLine.applicationNumber, number))
    .limit(1);
  return row?.order ?? null;
}

/** The newest unpaid order that this browser made. */
export async function unpaidOrderBySession(
  db: Queryable,
  sessionHash: Buffer,
): Promise<Order | null> {
  const [row] = await db
    .select()
    .from(order)
    .where(and(eq(order.sessionHash, sessionHash), isNull(order.paidAt), isNull(order.closedAt)))
    .orderBy(desc(order.createdAt))
    .limit(1);
  return row ?? null;
}

/**
 * An order by its own number or that of one of its applications, and whether a session is the payer's: it made the
 * order or opened a payer's link.
 */
export async function orderByReference(
  db: Queryable,
  reference: string,
  sessionHash: Buffer,
): Promise<{ order: Order; isPayer: boolean } | null> {
  const [row] = await asked(db).execute({ reference, sessionHash });
  return row ?? null;
}

const asked = prepareOnce((db) => {
  const reference = sql.placeholder('reference');
  const sessionHash = sql.placeholder('sessionHash');
  const ofApplication = db
    .select({ id: orderLine.orderId })
    .from(orderLine)
    .where(eq(orderLine.applicationNumber, reference))
    .limit(1);
  const isPayer = sql<boolean>`coalesce(${order.sessionHash} = ${sessionHash}, false) or exists (
    select 1 from ${orderPayerDevice}
    where ${orderPayerDevice.orderId} = ${order.id} and ${orderPayerDevice.sessionHash} = ${sessionHash})`;
  return db
    .select({ order, isPayer })
    .from(order)
    .where(or(eq(order.number, reference), eq(order.id, ofApplication)))
    .orderBy(desc(eq(order.number, reference)))
    .limit(1)
    .prepare(UNNAMED);
});

/** A query that returns a row, locked FOR SHARE, while an order is unpaid, not closed, and still has this amount. */
export const dueCondition = ({
  number,
  amountMinor,
}: Pick<Order, 'number' | 'amountMinor'>): DueCondition => ({
  query: DUE,
  values: { dueNumber: number, dueMinor: amountMinor },
});

const DUE = sql`select 1 from ${order}
  where ${order.number} = ${sql.placeholder('dueNumber')} and ${order.amountMinor} = ${sql.placeholder('dueMinor')}
    and ${order.paidAt} is null and ${order.closedAt} is null for share`;

/** Marks an order as paid; null where it was before, or does not exist. */
export async function payOrder(
  tx: Transaction,
  paid: { number: string; attemptId: string; at: Date },
): Promise<Order | null> {
  const [row] = await tx
    .update(order)
    .set({ paidAt: paid.at, paidBy: paid.attemptId, failedStarts: 0 })
    .where(and(eq(order.number, paid.number), isNull(order.paidAt)))
    .returning();
  return row ?? null;
}

/**
 * Changes the payer's email address where it was `from`; returns the order's id, or null. Links sent to the old address
 * stop working.
 */
export async function changePayerEmail(
  tx: Transaction,
  number: string,
  { from, to }: { from: string; to: string },
): Promise<string | null> {
  const [row] = await tx
    .update(order)
    .set({ customerEmail: to, emailVersion: sql`${order.emailVersion} + 1` })
    .where(
      and(eq(order.number, number), eq(sql`lower(${order.customerEmail})`, from.toLowerCase())),
    )
    .returning({ id: order.id });
  return row?.id ?? null;
}

/** Closes an unpaid order; does nothing to a paid one. */
export async function closeOrder(tx: Transaction, number: string, at: Date): Promise<void> {
  await tx
    .update(order)
    .set({ closedAt: at })
    .where(and(eq(order.number, number), isNull(order.paidAt), isNull(order.closedAt)));
}

/** Counts a payment that could not be started; returns how many in a row. */
export async function countFailedStart(db: Queryable, number: string): Promise<number> {
  const [row] = await db
    .update(order)
    .set({ failedStarts: sql`least(${order.failedStarts} + 1, 100)` })
    .where(eq(order.number, number))
    .returning({ failedStarts: order.failedStarts });
  return row?.failedStarts ?? 0;
}

export async function resetFailedStarts(db: Queryable, number: string): Promise<void> {
  await db.update(order).set({ failedStarts: 0 }).where(eq(order.number, number));
}

/** When each of several orders was paid; unpaid ones are absent. */
export async function paidMoments(db: Queryable, numbers: string[]): Promise<Map<string, Date>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select({ number: order.number, paidAt: order.paidAt })
    .from(order)
    .where(inArray(order.number, numbers));
  return new Map(rows.flatMap((row) => (row.paidAt ? [[row.number, row.paidAt] as const] : [])));
}

/** The attempt that paid each of several orders; unpaid ones are absent. */
export async function payingAttempts(
  db: Queryable,
  numbers: string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .select({ number: order.number, paidBy: order.paidBy })
    .from(order)
    .where(inArray(order.number, numbers));
  return new Map(rows.flatMap((row) => (row.paidBy ? [[row.number, row.paidBy] as const] : [])));
}

export const orderTotal = (row: Order): Money => usd(row.amountMinor);

export type OrderLine = typeof orderLine.$inferSelect;

export type NewLine = {
  applicationNumber: string;
  code: string;
  detail: ServiceCode | null;
  amount: Money;
};

export async function linesByOrder(db: Queryable, orderId: string): Promise<OrderLine[]> {
  return db
    .select()
    .from(orderLine)
    .where(eq(orderLine.orderId, orderId))
    .orderBy(asc(orderLine.position));
}

/** What an unpaid order asked for before lines were removed from it, or it was closed. */
type PreviousOrder = Pick<Order, 'id' | 'amountMinor' | 'failedStarts'> & {
  lines: OrderLine[];
};

/** Takes an unpaid order back to its lines, amount and openness before. */
export async function restoreOrder(
  tx: Transaction,
  { id, lines, ...before }: PreviousOrder,
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
 * payer is told by email if it is not paid minutes later (`queueUnpaidEmails`).
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
  const lines = linesToStore(row.id, placed.lines).map((line) => newRow(orderLine, line));
  const made = { ...row, ...unpaid, emailVersion: 0, failedStarts: 0 };
  return { order: made, rows: [newRow(order, row), ...lines] };
}
