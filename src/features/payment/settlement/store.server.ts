import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  sql,
  getTableColumns,
  gt,
  not,
  type SQL,
} from 'drizzle-orm';
import type { Queryable, Transaction, Database } from '~/platform/postgres/database.server.ts';
import { knownChanges, knownStatement } from '~/platform/postgres/statements.server.ts';
import { openStates, type PaymentState } from '../machine.ts';
import { paymentAlert, paymentAttempt, paymentEvent, paymentRefund } from '../tables.server.ts';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { insertSql } from '~/platform/postgres/store-together.server.ts';
import type { Initiator } from '../initiator.ts';
import { isUuid } from '~/base/uuid.ts';
import { providerNames } from '~/base/payment-providers.ts';

export type Attempt = typeof paymentAttempt.$inferSelect;

export async function insertAttempt(tx: Transaction, row: typeof paymentAttempt.$inferInsert) {
  await tx.insert(paymentAttempt).values(row);
}

export async function attemptById(db: Queryable, id: string): Promise<Attempt | null> {
  const [row] = await db.select().from(paymentAttempt).where(eq(paymentAttempt.id, id));
  return row ?? null;
}

/** The attempt by the provider's id. */
export async function attemptByProviderReference(
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

export async function attemptByCapture(
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
export async function attemptsByCapture(
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
export async function attemptsByReference(db: Queryable, reference: string): Promise<Attempt[]> {
  return db
    .select()
    .from(paymentAttempt)
    .where(eq(paymentAttempt.reference, reference))
    .orderBy(asc(paymentAttempt.createdAt), asc(paymentAttempt.id));
}

/** `attemptsByReference`, locked until the transaction ends. */
export async function lockAttemptsByReference(
  tx: Transaction,
  reference: string,
): Promise<Attempt[]> {
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
export async function storeReturn(db: Queryable, id: string, at: Date): Promise<void> {
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
export async function eventsByAttempts(db: Queryable, attemptIds: readonly string[]) {
  if (attemptIds.length === 0) return [];
  return db
    .select()
    .from(paymentEvent)
    .where(sql`${paymentEvent.attemptId} = any(${sql.param([...attemptIds])}::uuid[])`)
    .orderBy(asc(paymentEvent.receivedAt));
}

export async function eventsByAttempt(db: Queryable, attemptId: string) {
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

/** Whether an alert was raised under this key, resolved or not: a condition for a query. */
export const isRaised = (db: Queryable, once: SQL): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(paymentAlert)
      .where(eq(paymentAlert.once, once)),
  );

/** Resolves an alert automatically, because it no longer holds. */
export async function dropAlert(tx: Transaction, once: string, at: Date): Promise<void> {
  await tx
    .update(paymentAlert)
    .set({ resolvedAt: at })
    .where(and(eq(paymentAlert.once, once), isNull(paymentAlert.resolvedAt)));
}

/** Whether the payer's bank asks for the money of an attempt back, and staff have not resolved it. */
export async function isDisputed(db: Queryable, attemptId: string): Promise<boolean> {
  const rows = await db
    .select({ id: paymentAlert.id })
    .from(paymentAlert)
    .where(
      and(
        eq(paymentAlert.kind, 'disputed'),
        eq(paymentAlert.attemptId, attemptId),
        isNull(paymentAlert.resolvedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
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

/** Alerts that nobody has resolved. `raisedBefore`: those of them that stand for a while and are no partner's outage. */
export const countOpenAlerts = (
  db: Queryable,
  { raisedBefore }: { raisedBefore?: Date } = {},
): Promise<number> =>
  db.$count(
    paymentAlert,
    and(
      isNull(paymentAlert.resolvedAt),
      raisedBefore &&
        and(lt(paymentAlert.raisedAt, raisedBefore), ne(paymentAlert.kind, 'partner_down')),
    ),
  );

/** `unfinished`: ids of attempts that the initiator left at a provider's page, the reused one among them. */
type AttemptOpening =
  | { kind: 'opened'; attempt: Attempt; unfinished: readonly string[] }
  /** An earlier attempt of the initiator that the provider has begun and that may still be paid. */
  | {
      kind: 'reused';
      attempt: Attempt & { checkoutRedirect: Buffer };
      unfinished: readonly string[];
    }
  | { kind: 'already_paid' }
  /** Another attempt, whoever began it, may be captured at any moment (`awaitedReason`). */
  | { kind: 'awaited' }
  /** Another amount is due than the attempt's, or nothing. */
  | { kind: 'changed' };

/** A constant query, and the values of its placeholders. */
export type DueCondition = { query: SQL; values: Readonly<Record<string, unknown>> };

/**
 * Opens an attempt in one statement, unless its reference is paid, an attempt to pay it is awaited, or its initiator has one begun after `reusableAfter`.
 * `due`: a query that returns a row, locked FOR SHARE, while the attempt's amount is due, so that a change of the
 * amount comes completely before or after.
 */
export async function openAttempt(
  db: Database,
  attempt: Attempt,
  { by, due, reusableAfter }: { by: Initiator; due: DueCondition; reusableAfter: Date },
): Promise<AttemptOpening> {
  const statement = statementOf(due.query, by);
  const { rows } = await db.execute<Known>(
    statement({ ...due.values, ...attempt, reusableAfter, bySession: by.sessionHash }),
  );
  const [found] = rows;
  if (!found) throw new Error('Nothing is known of the attempts');
  const unfinished = found.unfinished ?? [];
  if (found.made) return { kind: 'opened', attempt, unfinished };
  if (found.paid) return { kind: 'already_paid' };
  if (found.awaited) return { kind: 'awaited' };
  if (found.reusable !== null) {
    const before = await attemptById(db, found.reusable);
    if (before?.checkoutRedirect) {
      const { checkoutRedirect } = before;
      return { kind: 'reused', attempt: { ...before, checkoutRedirect }, unfinished };
    }
    // It was decided just now, so it cannot be continued.
    return openAttempt(db, attempt, { by, due, reusableAfter });
  }
  // It may have been paid since the attempts were read.
  const isPaid = (await attemptsByReference(db, attempt.reference)).some(
    (one) => one.completedAt !== null,
  );
  return { kind: isPaid ? 'already_paid' : 'changed' };
}

type Known = {
  made: boolean;
  paid: boolean;
  awaited: boolean;
  reusable: string | null;
  unfinished: string[] | null;
};

/** `awaitedReason` is not null, as SQL. */
export const awaitedSql = sql`(${paymentAttempt.supersededAt} is null and (${paymentAttempt.state} in ('pending', 'authorised')
  or (${paymentAttempt.state} in ('created', 'redirected') and ${paymentAttempt.cameBackAt} is not null)))`;

const built = new WeakMap<SQL, Map<string, ReturnType<typeof knownStatement>>>();

/** The statement for a query of what is due and a kind of initiator, prepared once. */
function statementOf(due: SQL, by: Initiator) {
  const ofDue = built.get(due) ?? new Map<string, ReturnType<typeof knownStatement>>();
  built.set(due, ofDue);
  const name = `${by.role} ${by.sessionHash === null}`;
  const known = ofDue.get(name) ?? knownStatement(() => openSql(due, by));
  ofDue.set(name, known);
  return known;
}

function openSql(due: SQL, by: Initiator): SQL {
  const { reference, provider, amountMinor, createdAt, id, completedAt } = paymentAttempt;
  const reusable = new QueryBuilder()
    .select({ id })
    .from(paymentAttempt)
    .where(
      and(
        eq(reference, sql.placeholder('reference')),
        eq(provider, sql.placeholder('provider')),
        eq(amountMinor, sql.placeholder('amountMinor')),
        sql`${paymentAttempt.state} = any(${sql.param([...openStates])})`,
        isNotNull(paymentAttempt.checkoutRedirect),
        gt(createdAt, sql.placeholder('reusableAfter')),
        isOwnSql(by),
      ),
    )
    .orderBy(createdAt, id)
    .limit(1);
  // One that is just being begun is no page yet.
  const unfinished = new QueryBuilder()
    .select({ ids: sql`array_agg(${id})` })
    .from(paymentAttempt)
    .where(
      and(
        eq(reference, sql.placeholder('reference')),
        eq(paymentAttempt.state, 'redirected'),
        isNull(paymentAttempt.supersededAt),
        not(awaitedSql),
        isOwnSql(by),
      ),
    );
  const columns = Object.keys(getTableColumns(paymentAttempt));
  const attempt = Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));
  return sql`
    with due as (${due}),
    known as (select
      exists (select 1 from ${paymentAttempt} where ${reference} = ${sql.placeholder('reference')} and ${completedAt} is not null) as paid,
      exists (select 1 from ${paymentAttempt} where ${reference} = ${sql.placeholder('reference')} and ${awaitedSql}) as awaited,
      (${reusable.getSQL()}) as reusable,
      (${unfinished.getSQL()}) as unfinished),
    only_if as (select 1 from due, known where not paid and not awaited and reusable is null),
    made as (${insertSql({ table: paymentAttempt, values: attempt })} returning 1)
    select exists (select 1 from made) as made, paid, awaited, reusable, unfinished from known`;
}

/** `isOwnAttempt` as SQL, for the attempts of this initiator's role. */
function isOwnSql({ role, sessionHash }: Initiator): SQL | undefined {
  const isOfRole = eq(paymentAttempt.begunBy, role);
  if (role === 'payer') return isOfRole;
  return sessionHash === null
    ? sql`false`
    : and(isOfRole, eq(paymentAttempt.sessionHash, sql.placeholder('bySession')));
}

/**
 * The references of the payment that an id names: an attempt's or a refund's, ours or the provider's. Several where
 * providers gave one id twice; at most two are returned.
 */
export async function attemptReferences(db: Queryable, id: string): Promise<string[]> {
  const { reference, provider, providerReference, captureId } = paymentAttempt;
  // Naming the providers lets the statement use the indexes on (provider, id).
  const ofPayment = await db
    .selectDistinct({ reference })
    .from(paymentAttempt)
    .where(
      isUuid(id)
        ? or(
            eq(paymentAttempt.id, id),
            and(inArray(provider, [...providerNames]), eq(providerReference, id)),
            and(inArray(provider, [...providerNames]), eq(captureId, id)),
          )
        : and(
            inArray(provider, [...providerNames]),
            or(eq(providerReference, id), eq(captureId, id)),
          ),
    )
    .limit(2);
  if (ofPayment.length > 0) return ofPayment.map((row) => row.reference);
  const ofRefund = await db
    .selectDistinct({ reference })
    .from(paymentRefund)
    .innerJoin(paymentAttempt, eq(paymentAttempt.id, paymentRefund.attemptId))
    .where(
      isUuid(id)
        ? or(eq(paymentRefund.id, id), eq(paymentRefund.providerRefundId, id))
        : eq(paymentRefund.providerRefundId, id),
    )
    .limit(2);
  return ofRefund.map((row) => row.reference);
}
