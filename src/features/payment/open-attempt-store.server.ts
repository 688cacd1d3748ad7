import { and, eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Database } from '~/platform/database.server.ts';
import { insertSql, rowOf } from '~/platform/store-together.server.ts';
import type { Beginner } from './beginner.ts';
import { openStates } from './machine.ts';
import { attemptById, attemptsFor, type Attempt } from './store.server.ts';
import { paymentAttempt } from './tables.server.ts';

export type Opened =
  | { kind: 'opened'; attempt: Attempt }
  /** The beginner's own from before, that the provider has begun and that may still be paid. */
  | { kind: 'reused'; attempt: Attempt & { handover: Buffer } }
  | { kind: 'already_paid' }
  /** Something else is due than the attempt is over, or nothing. */
  | { kind: 'changed' };

/**
 * Opens an attempt by one statement, unless its reference is paid, or its beginner has one that was begun after
 * `reusableAfter`. `due`: a query of a row where the attempt's amount is what is due, which it holds (FOR SHARE), so that
 * who changes what is due comes wholly before or wholly after.
 */
export async function openAttempt(
  db: Database,
  attempt: Attempt,
  { by, due, reusableAfter }: { by: Beginner; due: SQL; reusableAfter: Date },
): Promise<Opened> {
  const { reference, createdAt, id, completedAt } = paymentAttempt;
  const reusable = db
    .select({ id })
    .from(paymentAttempt)
    .where(
      and(
        eq(reference, attempt.reference),
        eq(paymentAttempt.provider, attempt.provider),
        eq(paymentAttempt.amountMinor, attempt.amountMinor),
        sql`${paymentAttempt.state} = any(${sql.param([...openStates])})`,
        isNotNull(paymentAttempt.handover),
        gt(createdAt, reusableAfter),
        isOwnSql(by),
      ),
    )
    .orderBy(createdAt, id)
    .limit(1);
  const { rows } = await db.execute<{ made: boolean; paid: boolean; reusable: string | null }>(sql`
    with due as (${due}),
    known as (select
      exists (select 1 from ${paymentAttempt} where ${reference} = ${attempt.reference} and ${completedAt} is not null) as paid,
      (${reusable.getSQL()}) as reusable),
    only_if as (select 1 from due, known where not paid and reusable is null),
    made as (${insertSql(rowOf(paymentAttempt, attempt))} returning 1)
    select exists (select 1 from made) as made, paid, reusable from known`);
  const [found] = rows;
  if (!found) throw new Error('Nothing is known of the attempts');
  if (found.made) return { kind: 'opened', attempt };
  if (found.paid) return { kind: 'already_paid' };
  if (found.reusable !== null) {
    const before = await attemptById(db, found.reusable);
    if (before?.handover) {
      return { kind: 'reused', attempt: { ...before, handover: before.handover } };
    }
    // It was decided just now: nothing is left of it to go on with.
    return openAttempt(db, attempt, { by, due, reusableAfter });
  }
  // What is due may have been paid since the attempts were looked at.
  const isPaid = (await attemptsFor(db, attempt.reference)).some((one) => one.completedAt !== null);
  return { kind: isPaid ? 'already_paid' : 'changed' };
}

/** As `isOwnAttempt`, of the attempts that this beginner's role has begun. */
function isOwnSql({ role, sessionHash }: Beginner): SQL | undefined {
  const isOfRole = eq(paymentAttempt.begunBy, role);
  if (role === 'payer') return isOfRole;
  return sessionHash === null
    ? sql`false`
    : and(isOfRole, eq(paymentAttempt.sessionHash, sessionHash));
}
