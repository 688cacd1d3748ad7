import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { foldedLetters, GAP_SIGNS, LEFT_OUT_SIGNS, thorn, unseen } from '~/base/letters.ts';
import { queueGroups, type QueueGroup } from './queue-group.ts';

/*
 * Expressions that stand in an index and in the statements that use it: PostgreSQL uses the index only where both are
 * the same.
 */

const literal = (text: string): SQL => sql.raw(`'${text.replaceAll("'", "''")}'`);

/** Lower case without accents, as `foldLetters` folds what is searched for; sorting by it needs no locale. */
const foldedSql = (text: SQL): SQL => sql`replace(translate(
  lower(regexp_replace(normalize(${text}, NFKD), ${literal(`[${unseen}]`)}, '', 'g')), ${literal(foldedLetters.from)}, ${literal(foldedLetters.to)}), ${literal(thorn.letter)}, ${literal(thorn.stands)})`;

/** The @ stands in names before an alias alone, see `bareName`. */
const GAPS = `${GAP_SIGNS}@`;

/** A name as `foldName` folds what it is compared with, several gaps as several spaces. */
const foldedNameSql = (name: SQL): SQL =>
  sql`translate(${foldedSql(name)}, ${literal(GAPS + LEFT_OUT_SIGNS)}, ${literal(' '.repeat(GAPS.length))})`;

/** A name without gaps, as passports, tickets and people part names otherwise: “Al Hasan” is “alhasan”. */
export const closedNameSql = (name: SQLWrapper): SQL =>
  sql`replace(${foldedNameSql(sql`${name}`)}, ' ', '')`;

/**
 * The text that an application is found by, with a space before each word: names with their gaps and without them, and
 * the e-mail address. A stored column, so that searching does not compute it.
 */
export const searchedSql = (t: {
  firstName: SQLWrapper;
  lastName: SQLWrapper;
  email: SQLWrapper;
}): SQL =>
  sql`${foldedNameSql(sql`' ' || ${t.firstName} || ' ' || ${t.lastName} || ' '`)} || ${closedNameSql(t.firstName)} || ' ' || ${closedNameSql(t.lastName)} || ${foldedSql(sql`' ' || ${t.email}`)}`;

/** The last digits of a phone number, under which it is looked up: those before may be a country's, or a 0. */
export const PHONE_END = 7;

/** A phone number's digits alone. */
export const digitsSql = (phone: SQLWrapper): SQL =>
  sql`regexp_replace(${phone}, '[^0-9]', '', 'g')`;

export const phoneEndSql = (phone: SQLWrapper): SQL =>
  sql`right(${digitsSql(phone)}, ${sql.raw(String(PHONE_END))})`;

/** A reference in capitals without gaps and signs, as the desk's search folds what it is compared with. */
export const foldedReferenceSql = (reference: SQLWrapper): SQL =>
  sql`upper(regexp_replace(${reference}, '[^0-9A-Za-z]', '', 'g'))`;

/** Whether there are other characters than printable ASCII after folding. */
export const hasOtherLettersSql = (text: SQLWrapper): SQL => sql`${text} ~ '[^ -~]'`;

/** A text's bytes as hexadecimal digits, from which PostgreSQL makes trigrams for any script. */
export const bytesSql = (text: SQLWrapper): SQL =>
  sql`encode(decode(replace(${text}, '\\', ''), 'escape'), 'hex')`;

/** Milliseconds since 1970: an immutable expression, as an index needs it. */
const millisecondsSql = (moment: SQLWrapper): SQL =>
  sql`(extract(epoch from (${moment} - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint`;

type QueueColumns = Record<
  'decidedAt' | 'paidAt' | 'pausedAt' | 'promisedAt' | 'undeliveredSince' | 'createdAt',
  SQLWrapper
>;

/** Which part of the queue an application stands in. */
export const queueGroupSql = (t: QueueColumns): SQL<number> =>
  sql<number>`(case when ${t.decidedAt} is not null then case when ${t.paidAt} is null then 5 when ${t.undeliveredSince} is null then 4 else 1 end
    when ${t.paidAt} is null then 3 when ${t.pausedAt} is not null then 2 else 0 end)`;

/** The newest application first. */
export const newestKeySql = (t: Pick<QueueColumns, 'createdAt'>): SQL<string> =>
  sql<string>`-${millisecondsSql(t.createdAt)}`;

/** The sort key within its part, ascending: by promised moment, by start of the pause, or newest first. */
export const queueKeySql = (t: QueueColumns): SQL<string> =>
  sql<string>`(case when ${t.undeliveredSince} is null and (${t.decidedAt} is not null or ${t.paidAt} is null) then ${newestKeySql(t)}
    when ${t.pausedAt} is not null then ${millisecondsSql(t.pausedAt)}
    else coalesce(${millisecondsSql(t.promisedAt)}, 9007199254740991) end)`;

/** Written as the queue's indexes have it. */
export const inGroupSql = (t: QueueColumns, group: QueueGroup): SQL =>
  sql`${queueGroupSql(t)} = ${sql.raw(String(queueGroups[group]))}`;

/** Paid, undecided and not paused: what staff have to work on. */
export const isWaitingSql = (t: QueueColumns): SQL => inGroupSql(t, 'waiting');

/** Approved without its PDF: what the traveller still waits for. */
export const isUndeliveredSql = (t: QueueColumns): SQL => inGroupSql(t, 'undelivered');
