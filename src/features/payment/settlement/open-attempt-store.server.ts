import { and, eq, getTableColumns, gt, isNotNull, isNull, not, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Database } from '~/platform/postgres/database.server.ts';
import { knownStatement } from '~/platform/postgres/statement-text.server.ts';
import { insertSql } from '~/platform/postgres/store-together.server.ts';
import type { Initiator } from '../initiator.ts';
import { openStates } from '../machine.ts';
import { attemptById, attemptsFor, type Attempt } from './store.server.ts';
import { paymentAttempt } from './tables.server.ts';

/** `unfinished`: ids of attempts that the initiator left at a provider's page, the reused one among them. */
export type Opened =
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
export type Due = { query: SQL; values: Readonly<Record<string, unknown>> };

/**
 * Opens an attempt in one statement, unless its reference is paid, an attempt to pay it is awaited, or its initiator has one begun after `reusableAfter`.
 * `due`: a query that returns a row, locked FOR SHARE, while the attempt's amount is due, so that a change of the
 * amount comes completely before or after.
 */
export async function openAttempt(
  db: Database,
  attempt: Attempt,
  { by, due, reusableAfter }: { by: Initiator; due: Due; reusableAfter: Date },
): Promise<Opened> {
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
  const isPaid = (await attemptsFor(db, attempt.reference)).some((one) => one.completedAt !== null);
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
