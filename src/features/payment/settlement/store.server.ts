import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { knownChanges } from '~/platform/postgres/statement-text.server.ts';
import { openStates, type PaymentState } from '../machine.ts';
import { paymentAlert, paymentAttempt, paymentEvent } from './tables.server.ts';

export type Attempt = typeof paymentAttempt.$inferSelect;

export async function insertAttempt(tx: Transaction, row: typeof paymentAttempt.$inferInsert) {
  await tx.insert(paymentAttempt).values(row);
}

export async function attemptById(db: Queryable, id: string): Promise<Attempt | null> {
  const [row] = await db.select().from(paymentAttempt).where(eq(paymentAttempt.id, id));
  return row ?? null;
}

/** The attempt by the provider's id. */
export async function attemptOfReference(
  db: Queryable,
  provider: string,
  providerReference: string,
): Promise<Attempt | null> {
  const [row] = await db
    .select()
    .from(paymentAttempt)
    .where(
      and(
        eq(paymentAttempt.provider, provider),
        eq(paymentAttempt.providerReference, providerReference),
      ),
    );
  return row ?? null;
}

export async function attemptOfCapture(
  db: Queryable,
  provider: string,
  captureId: string,
): Promise<Attempt | null> {
  const [row] = await db
    .select()
    .from(paymentAttempt)
    .where(and(eq(paymentAttempt.provider, provider), eq(paymentAttempt.captureId, captureId)));
  return row ?? null;
}

/** Attempts by their captures; those that no attempt has are absent. */
export async function attemptsOfCaptures(
  db: Queryable,
  provider: string,
  captureIds: readonly string[],
): Promise<Map<string, Attempt>> {
  if (captureIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(paymentAttempt)
    .where(
      and(
        eq(paymentAttempt.provider, provider),
        sql`${paymentAttempt.captureId} = any(${sql.param([...captureIds])}::text[])`,
      ),
    );
  return new Map(rows.flatMap((row) => (row.captureId === null ? [] : [[row.captureId, row]])));
}

/** All attempts for a reference, oldest first. */
export async function attemptsFor(db: Queryable, reference: string): Promise<Attempt[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(eq(paymentAttempt.reference, reference))
    .orderBy(asc(paymentAttempt.createdAt), asc(paymentAttempt.id));
}

/** `attemptsFor`, locked until the transaction ends. */
export async function lockAttemptsFor(tx: Transaction, reference: string): Promise<Attempt[]> {
  return tx
    .select()
    .from(paymentAttempt)
    .where(eq(paymentAttempt.reference, reference))
    .orderBy(asc(paymentAttempt.createdAt), asc(paymentAttempt.id))
    .for('no key update');
}

/** The payer's newest attempt for each of several references; guests' attempts do not count. */
export async function latestAttempts(
  db: Queryable,
  references: string[],
): Promise<Map<string, Attempt>> {
  if (references.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([paymentAttempt.reference])
    .from(paymentAttempt)
    .where(and(inArray(paymentAttempt.reference, references), eq(paymentAttempt.begunBy, 'payer')))
    .orderBy(paymentAttempt.reference, desc(paymentAttempt.createdAt), desc(paymentAttempt.id));
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Attempts by their ids; unknown ones are absent. */
export async function attemptsById(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Attempt>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(paymentAttempt)
    .where(inArray(paymentAttempt.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks a reference until the transaction ends, so that two captures for one order are settled one after the other,
 * even for different attempts.
 */
export async function lockReference(tx: Transaction, reference: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`payment:${reference}`}, 0))`,
  );
}

/** Changes an attempt if its state still is the one that was read; false otherwise. */
export async function changeAttempt(
  db: Queryable,
  { id, from }: { id: string; from: PaymentState },
  values: Partial<typeof paymentAttempt.$inferInsert>,
): Promise<boolean> {
  const { rowCount } = await db.execute(change(values, { id, from }));
  return rowCount === 1;
}

const change = knownChanges(
  paymentAttempt,
  sql`${eq(paymentAttempt.id, sql.placeholder('id'))} and ${eq(paymentAttempt.state, sql.placeholder('from'))}`,
);

/** Stores the provider's id of an attempt in any state, so that the provider can still be asked. */
export async function storeReference(
  db: Queryable,
  id: string,
  providerReference: string | null,
): Promise<void> {
  await db
    .update(paymentAttempt)
    .set({ providerReference })
    .where(and(eq(paymentAttempt.id, id), isNull(paymentAttempt.providerReference)));
}

/** Milliseconds after the payer came back for which "nothing was paid" may still be a provider's delay. */
export const CAME_BACK_MS = 2 * 60_000;

/** Stores that a payer's browser came back, or had the payment taken, without a result; for an undecided attempt. */
export async function storeCameBack(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .update(paymentAttempt)
    .set({ cameBackAt: at, askAt: new Date(at.getTime() + CAME_BACK_MS) })
    .where(and(eq(paymentAttempt.id, id), inArray(paymentAttempt.state, [...openStates])));
}

/**
 * Inserts an event into the inbox; false when it was there already. An event stored without its attempt counts as new
 * once the attempt is known (a restored database, a delivery that came too early).
 */
export async function insertEvent(
  tx: Transaction,
  provider: string,
  providerEvent: { eventId: string; event: string; payload: unknown },
  event: { id: string; attemptId: string | null; receivedAt: Date; result: string },
): Promise<boolean> {
  const { id, attemptId, receivedAt, result } = event;
  const rows = await tx
    .insert(paymentEvent)
    .values({
      id,
      provider,
      eventId: providerEvent.eventId,
      attemptId,
      event: providerEvent.event,
      payload: providerEvent.payload,
      receivedAt,
      result,
    })
    .onConflictDoUpdate({
      target: [paymentEvent.provider, paymentEvent.eventId],
      set: { id, attemptId, result },
      setWhere: sql`${paymentEvent.attemptId} is null and excluded.attempt_id is not null`,
    })
    .returning({ id: paymentEvent.id });
  return rows.length === 1;
}

/** The result of an event that was in the inbox before. */
export async function eventResult(
  db: Queryable,
  provider: string,
  eventId: string,
): Promise<string | null> {
  const [row] = await db
    .select({ result: paymentEvent.result })
    .from(paymentEvent)
    .where(and(eq(paymentEvent.provider, provider), eq(paymentEvent.eventId, eventId)));
  return row?.result ?? null;
}

export async function setEventResult(tx: Transaction, id: string, result: string) {
  await tx.update(paymentEvent).set({ result }).where(eq(paymentEvent.id, id));
}

/** The events of several attempts, in order of arrival. */
export async function eventsOfAttempts(db: Queryable, attemptIds: readonly string[]) {
  if (attemptIds.length === 0) return [];
  return db
    .select()
    .from(paymentEvent)
    .where(sql`${paymentEvent.attemptId} = any(${sql.param([...attemptIds])}::uuid[])`)
    .orderBy(asc(paymentEvent.receivedAt));
}

export async function eventsFor(db: Queryable, attemptId: string) {
  return db
    .select()
    .from(paymentEvent)
    .where(eq(paymentEvent.attemptId, attemptId))
    .orderBy(asc(paymentEvent.receivedAt));
}

/** An alert with `once` is raised a single time. */
export async function raiseAlert(tx: Transaction, alert: typeof paymentAlert.$inferInsert) {
  await tx.insert(paymentAlert).values(alert).onConflictDoNothing({ target: paymentAlert.once });
}

/** The key under which a long undecided attempt raises its alert once, and by which the alert is found again. */
export const pendingAlert = (attemptId: string): string => `pending:${attemptId}`;

/** Resolves an alert automatically, because it no longer holds. */
export async function dropAlert(tx: Transaction, once: string, at: Date): Promise<void> {
  await tx
    .update(paymentAlert)
    .set({ resolvedAt: at })
    .where(and(eq(paymentAlert.once, once), isNull(paymentAlert.resolvedAt)));
}

export async function openAlerts(db: Queryable) {
  return db
    .select()
    .from(paymentAlert)
    .where(sql`${paymentAlert.resolvedAt} is null`)
    .orderBy(desc(paymentAlert.raisedAt));
}

/** Attempts that are due to be asked about: undecided, or ended by us and possibly paid. */
export async function attemptsToAsk(db: Queryable, now: Date, limit: number): Promise<Attempt[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(
      and(
        isNotNull(paymentAttempt.askAt),
        lte(paymentAttempt.askAt, now),
        or(
          inArray(paymentAttempt.state, [...openStates, 'cancelled']),
          isNotNull(paymentAttempt.supersededAt),
        ),
      ),
    )
    .orderBy(asc(paymentAttempt.askAt))
    .limit(limit);
}

/** Undecided attempts by state. */
export async function countOpenAttempts(db: Queryable): Promise<Record<string, number>> {
  const rows = await db
    .select({ state: paymentAttempt.state, attempts: count() })
    .from(paymentAttempt)
    .where(inArray(paymentAttempt.state, [...openStates]))
    .groupBy(paymentAttempt.state);
  return Object.fromEntries(rows.map(({ state, attempts }) => [state, attempts]));
}

export const countOpenAlerts = (db: Queryable): Promise<number> =>
  db.$count(paymentAlert, isNull(paymentAlert.resolvedAt));
