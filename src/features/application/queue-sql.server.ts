import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/*
 * Expressions that stand in an index and in the statements that want to use it: PostgreSQL knows them again only if
 * they are the same.
 */

/** Small letters without accents, as the desk folds what is searched for; in this order it needs no locale. */
export const foldedSql = (text: SQL): SQL => sql`translate(
  lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g')), 'ıøłđ', 'iold')`;

/** What an application is found by. PostgreSQL uses the index for exactly this expression. */
export const searchedSql = (t: {
  firstName: SQLWrapper;
  lastName: SQLWrapper;
  email: SQLWrapper;
}): SQL => foldedSql(sql`${t.firstName} || ' ' || ${t.lastName} || ' ' || ${t.email}`);

/** Milliseconds since 1970; in this form PostgreSQL takes it into an index. */
const millisecondsSql = (moment: SQLWrapper): SQL =>
  sql`(extract(epoch from (${moment} - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint`;

type QueueColumns = Record<
  'decidedAt' | 'paidAt' | 'pausedAt' | 'promisedAt' | 'createdAt',
  SQLWrapper
>;

/** The parts of the queue, in its order. Only `waiting` is ours to do; a `paused` one waits for its traveller. */
export const queueGroups = { waiting: 0, paused: 1, unpaid: 2, decided: 3 } as const;

/** Which part of the queue an application stands in. */
export const queueGroupSql = (t: QueueColumns): SQL<number> =>
  sql<number>`(case when ${t.decidedAt} is not null then 3 when ${t.paidAt} is null then 2 when ${t.pausedAt} is not null then 1 else 0 end)`;

/** Its place there, the least first: by promised moment, by the beginning of the pause, or the newest first. */
export const queueKeySql = (t: QueueColumns): SQL<string> =>
  sql<string>`(case when ${t.decidedAt} is not null then -${millisecondsSql(t.decidedAt)}
    when ${t.paidAt} is null then -${millisecondsSql(t.createdAt)}
    when ${t.pausedAt} is not null then ${millisecondsSql(t.pausedAt)}
    else coalesce(${millisecondsSql(t.promisedAt)}, 9007199254740991) end)`;

/** Paid, undecided, and its clock runs: what the desk has to do. The queue's index holds it. */
export const isWaitingSql = (t: QueueColumns): SQL =>
  sql`${queueGroupSql(t)} = ${sql.raw(String(queueGroups.waiting))}`;
