import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, lte, or, sql } from 'drizzle-orm';
import { usd } from '~/base/money.ts';
import type { PlainDate } from '~/base/dates/dates.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { openStates } from '../machine.ts';
import { movingStates } from '../refund-machine.ts';
import type { Attempt } from '../settlement/store.server.ts';
import {
  paymentAttempt,
  paymentEvent,
  paymentRefund,
  paymentMovement,
  reconciliation,
  reconciliationRow,
} from '../tables.server.ts';
import type { Ledger } from './compare.ts';
import type { Movement } from '../provider.ts';

export type ReconciliationReport = typeof reconciliation.$inferSelect;
export type ReportRow = typeof reconciliationRow.$inferSelect;

/** A UTC day, from its first moment to the first of the next. */
export type UtcDaySpan = { from: Date; to: Date };

/** An attempt with what was captured and refunded within a day, in minor units. */
export type ComparedAttempt = { attempt: Attempt; captured: number; refunded: number };

const capturing = ['completed', 'captured_late', 'partially_refunded', 'refunded'] as const;

/** When money was captured: at completion, or by the capture's event where another attempt had paid the order. */
const capturedAt = sql<Date | null>`coalesce(${paymentAttempt.completedAt}, (
  select min(${paymentEvent.receivedAt}) from ${paymentEvent}
  where ${paymentEvent.attemptId} = ${paymentAttempt.id} and ${paymentEvent.event} = 'capture'
    and ${paymentEvent.result} = 'moved'))`;

/**
 * What a day's report compares: attempts captured or refunded within it, those that ended within it without a capture
 * (the provider may have one), and those still open that began before its end.
 */
export async function attemptsToCompare(
  db: Queryable,
  { from, to }: UtcDaySpan,
): Promise<ComparedAttempt[]> {
  const refunds = db
    .select({
      attemptId: paymentRefund.attemptId,
      minor: sql<number>`sum(${paymentRefund.amountMinor})`.mapWith(Number).as('minor'),
    })
    .from(paymentRefund)
    .where(
      and(
        eq(paymentRefund.state, 'completed'),
        sql`${paymentRefund.decidedAt} >= ${from}`,
        lt(paymentRefund.decidedAt, to),
      ),
    )
    .groupBy(paymentRefund.attemptId)
    .as('refunds');
  const isCaptured = and(
    inArray(paymentAttempt.state, [...capturing]),
    sql`${capturedAt} >= ${from} and ${capturedAt} < ${to}`,
  );
  const rows = await db
    .select({
      attempt: paymentAttempt,
      isCaptured: sql<boolean>`coalesce(${isCaptured}, false)`,
      refunded: refunds.minor,
    })
    .from(paymentAttempt)
    .leftJoin(refunds, eq(refunds.attemptId, paymentAttempt.id))
    .where(
      and(
        lt(paymentAttempt.createdAt, to),
        or(
          isCaptured,
          isNotNull(refunds.minor),
          inArray(paymentAttempt.state, [...openStates]),
          and(
            inArray(paymentAttempt.state, ['failed', 'cancelled', 'expired']),
            sql`${paymentAttempt.changedAt} >= ${from}`,
            lt(paymentAttempt.changedAt, to),
          ),
        ),
      ),
    )
    .orderBy(asc(paymentAttempt.createdAt), asc(paymentAttempt.id));
  return rows.map(({ attempt, isCaptured: captured, refunded }) => ({
    attempt,
    captured: captured ? attempt.amountMinor : 0,
    refunded: refunded ?? 0,
  }));
}

/** Our ledger's figures of an attempt now. */
export async function readLedger(db: Queryable, id: string): Promise<Ledger & { state: string }> {
  const [row] = await db
    .select({
      state: paymentAttempt.state,
      amount: paymentAttempt.amountMinor,
      captureId: paymentAttempt.captureId,
      refunded: paymentAttempt.refundedMinor,
      refunding: sql<number>`coalesce(sum(${paymentRefund.amountMinor}), 0)`.mapWith(Number),
    })
    .from(paymentAttempt)
    .leftJoin(
      paymentRefund,
      and(
        eq(paymentRefund.attemptId, paymentAttempt.id),
        inArray(paymentRefund.state, [...movingStates]),
      ),
    )
    .where(eq(paymentAttempt.id, id))
    .groupBy(paymentAttempt.id);
  if (!row) throw new Error('The attempt to compare is gone');
  return {
    state: row.state,
    captured: capturing.some((state) => state === row.state) ? usd(row.amount) : null,
    captureId: row.captureId,
    refunded: usd(row.refunded),
    refunding: usd(row.refunding),
  };
}

/** Stores a report in place of an earlier one; a newer one stays. */
export async function replaceReport(
  tx: Transaction,
  report: ReconciliationReport,
  rows: readonly (typeof reconciliationRow.$inferInsert)[],
): Promise<void> {
  const { day, provider, startedAt } = report;
  const name = `reconciliation:${day}:${provider}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  const { day: _day, provider: _provider, ...values } = report;
  const stored = await tx
    .insert(reconciliation)
    .values(report)
    .onConflictDoUpdate({
      target: [reconciliation.day, reconciliation.provider],
      set: values,
      setWhere: lte(reconciliation.startedAt, startedAt),
    })
    .returning({ day: reconciliation.day });
  if (stored.length === 0) return;
  await tx
    .delete(reconciliationRow)
    .where(and(eq(reconciliationRow.day, day), eq(reconciliationRow.provider, provider)));
  for (let first = 0; first < rows.length; first += 500) {
    await tx.insert(reconciliationRow).values(rows.slice(first, first + 500));
  }
}

/** Stores what a provider's books said of movements; a later reading of the same one replaces it. */
export async function storeMovements(
  tx: Transaction,
  provider: string,
  movements: readonly Movement[],
  readAt: Date,
): Promise<void> {
  const rows = new Map(
    movements.map(({ amount, fee, ...movement }) => [
      movement.id,
      {
        ...movement,
        provider,
        amountMinor: amount?.minor ?? null,
        feeMinor: fee?.minor ?? null,
        readAt,
      },
    ]),
  );
  const all = [...rows.values()];
  for (let first = 0; first < all.length; first += 500) {
    await tx
      .insert(paymentMovement)
      .values(all.slice(first, first + 500))
      .onConflictDoUpdate({
        target: [paymentMovement.provider, paymentMovement.id],
        set: {
          kind: sql`excluded.kind`,
          at: sql`excluded.at`,
          captureId: sql`excluded.capture_id`,
          refundId: sql`excluded.refund_id`,
          amountMinor: sql`excluded.amount_minor`,
          feeMinor: sql`excluded.fee_minor`,
          readAt: sql`excluded.read_at`,
        },
      });
  }
}

/** The moment at which the first attempt began; null before there was one. */
export async function firstAttemptMoment(db: Queryable): Promise<Date | null> {
  const [row] = await db
    .select({ at: paymentAttempt.createdAt })
    .from(paymentAttempt)
    .orderBy(asc(paymentAttempt.createdAt), asc(paymentAttempt.id))
    .limit(1);
  return row?.at ?? null;
}

/** The reports of some days, finished or not. */
export async function reportsBetween(
  db: Queryable,
  first: PlainDate,
  last: PlainDate,
): Promise<ReconciliationReport[]> {
  return db
    .select()
    .from(reconciliation)
    .where(and(sql`${reconciliation.day} >= ${first}`, lte(reconciliation.day, last)))
    .orderBy(desc(reconciliation.day), asc(reconciliation.provider));
}

/** The rows of the reports of some days, the newest first, then by attempt; `differing` leaves out those that agree. */
export async function reportRows(
  db: Queryable,
  { first, last }: { first: PlainDate; last: PlainDate },
  {
    differing,
    after,
    limit,
  }: { differing: boolean; after: Pick<ReportRow, 'day' | 'attemptId'> | null; limit: number },
): Promise<ReportRow[]> {
  const { day, attemptId, differs } = reconciliationRow;
  return db
    .select()
    .from(reconciliationRow)
    .where(
      and(
        gte(day, first),
        lte(day, last),
        differing ? eq(differs, true) : undefined,
        after
          ? or(lt(day, after.day), and(eq(day, after.day), gt(attemptId, after.attemptId)))
          : undefined,
      ),
    )
    .orderBy(desc(day), asc(attemptId))
    .limit(limit);
}
