import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { queueGroups, type QueueGroup } from './queue-group.ts';

/*
 * Expressions that stand in an index and in the statements that want to use it: PostgreSQL knows them again only if
 * they are the same.
 */

/** Small letters without accents, as the desk folds what is searched for; in this order it needs no locale. */
export const foldedSql = (text: SQL): SQL => sql`translate(
  lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g')), 'ıøłđ', 'iold')`;

/** What an application is found by, a space before each word's beginning. Stored, so that nobody folds it while searching. */
export const searchedSql = (t: {
  firstName: SQLWrapper;
  lastName: SQLWrapper;
  email: SQLWrapper;
}): SQL => foldedSql(sql`' ' || ${t.firstName} || ' ' || ${t.lastName} || ' ' || ${t.email}`);

/** Whether there are other letters than a to z, after folding. */
export const hasOtherLettersSql = (text: SQLWrapper): SQL => sql`${text} ~ '[^ -~]'`;

/** A text's bytes as hexadecimal digits: of these trigrams are made whatever the letters. */
export const bytesSql = (text: SQLWrapper): SQL =>
  sql`encode(decode(replace(${text}, '\\', ''), 'escape'), 'hex')`;

/** Milliseconds since 1970; in this form PostgreSQL takes it into an index. */
const millisecondsSql = (moment: SQLWrapper): SQL =>
  sql`(extract(epoch from (${moment} - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint`;

type QueueColumns = Record<
  'decidedAt' | 'paidAt' | 'pausedAt' | 'promisedAt' | 'createdAt',
  SQLWrapper
>;

/** Which part of the queue an application stands in. */
export const queueGroupSql = (t: QueueColumns): SQL<number> =>
  sql<number>`(case when ${t.decidedAt} is not null then case when ${t.paidAt} is null then 4 else 3 end
    when ${t.paidAt} is null then 2 when ${t.pausedAt} is not null then 1 else 0 end)`;

/** The newest application first. */
export const newestKeySql = (t: Pick<QueueColumns, 'createdAt'>): SQL<string> =>
  sql<string>`-${millisecondsSql(t.createdAt)}`;

/** Its place there, the least first: by promised moment, by the beginning of the pause, or the newest first. */
export const queueKeySql = (t: QueueColumns): SQL<string> =>
  sql<string>`(case when ${t.decidedAt} is not null or ${t.paidAt} is null then ${newestKeySql(t)}
    when ${t.pausedAt} is not null then ${millisecondsSql(t.pausedAt)}
    else coalesce(${millisecondsSql(t.promisedAt)}, 9007199254740991) end)`;

/** In the words of the queue's indexes. */
export const inGroupSql = (t: QueueColumns, group: QueueGroup): SQL =>
  sql`${queueGroupSql(t)} = ${sql.raw(String(queueGroups[group]))}`;

/** Paid, undecided, and its clock runs: what the desk has to do. */
export const isWaitingSql = (t: QueueColumns): SQL => inGroupSql(t, 'waiting');
