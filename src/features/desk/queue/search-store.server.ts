import { and, eq, inArray, like, or, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import {
  bytesSql,
  digitsSql,
  hasOtherLettersSql,
  PHONE_END,
  phoneEndSql,
} from '~/features/application/queue-sql.server.ts';
import { application, applicationEarlierPassport } from '~/features/application/tables.server.ts';
import { insuranceApplication } from '~/features/insurance/store/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { MOST_COUNTED } from './list-filter.ts';
import { unindexed } from './list-order-store.server.ts';
import { nearSpellings, type Search, type SearchWord } from './search-words.ts';

/** Two names may be as long, but do not begin so. */
const WHOLE_NUMBER = /^TR[VI].{13}$/;
/** Trigrams find parts of three letters; shorter ones are found at the beginning of words. */
const SHORTEST_PART = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < SHORTEST_PART ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/** Whether a search asks an index first, for a complete number or names with a mistake, or is for nothing: no scan. */
export const isLookedUp = ({ words, number, isNear }: Search): boolean =>
  isNear || words.length === 0 || (number !== null && WHOLE_NUMBER.test(number));

/** Every word occurs in name or email, or the text is part of the number, or the passport or phone. */
export function match(search: Search): SQL {
  const { words, number } = search;
  if (words.length === 0) return sql`false`;
  if (search.isNear) return isOneOf(nearNames(words));
  if (isLookedUp(search)) return eq(application.number, number ?? '');
  return either(search, (one) => like(application.searchText, wordPattern(one)));
}

const anySpelling = (word: SearchWord, matches: (one: string) => SQL | undefined) =>
  or(...word.map(matches));

/** A subquery for ids, asked once for a statement: in other forms PostgreSQL asks it for each row, or reads all rows. */
const isOneOf = (ids: SQL): SQL => sql`${application.id} = any(array(${ids}))`;

const builder = new QueryBuilder();
/** As many as a list counts. */
const MOST_LOOKED_UP = MOST_COUNTED + 1;

function byPassport(hashes: readonly Buffer[]): SQL {
  const owners = [visaApplication, insuranceApplication, applicationEarlierPassport].map(
    (owner) =>
      sql`select ${owner.applicationId} from ${owner} where ${inArray(owner.passportHash, [...hashes])}`,
  );
  return sql.join(owners, sql` union all `);
}

function byPhone(digits: string): SQL {
  const one = alias(application, 'phoned');
  return builder
    .select({ id: one.id })
    .from(one)
    .where(
      and(
        eq(phoneEndSql(one.phone), digits.slice(-PHONE_END)),
        like(digitsSql(one.phone), `%${digits}`),
      ),
    )
    .limit(MOST_LOOKED_UP)
    .getSQL();
}

/** Each word occurs, or stands in a name with one mistake. */
function nearNames(words: readonly SearchWord[]): SQL {
  const one = alias(application, 'near');
  const conditions = words.map((word) =>
    or(
      anySpelling(word, (spelling) => like(one.searchText, wordPattern(spelling))),
      ...nearSpellings(word).map((spelling) => sql`${one.searchText} ~ ${` ${spelling} `}`),
    ),
  );
  return builder
    .select({ id: one.id })
    .from(one)
    .where(and(...conditions))
    .limit(MOST_LOOKED_UP)
    .getSQL();
}

const either = (
  { words, closed, number, passports, phone }: Search,
  matches: (one: string) => SQL | undefined,
): SQL =>
  or(
    and(...words.map((word) => anySpelling(word, matches))),
    closed === null ? undefined : anySpelling(closed, matches),
    number === null ? undefined : like(application.number, `%${number}%`),
    passports.length === 0 ? undefined : isOneOf(byPassport(passports)),
    phone === null ? undefined : isOneOf(byPhone(phone)),
  ) ?? sql`false`;

/**
 * The same for the indexes of names. An email address is searched in its part before the @ only: half of all addresses
 * share a few domains, whose rows PostgreSQL would all read.
 */
export const indexedMatch = (search: Search): SQL =>
  search.isNear ? match(search) : either(search, wordMatch);

function wordMatch(word: string): SQL | undefined {
  const pattern = wordPattern(word);
  const whole = like(application.searchText, pattern);
  const box = word.slice(0, word.indexOf('@') + 1);
  if (box.length > SHORTEST_PART)
    return and(like(application.searchText, wordPattern(box)), unindexed(whole));
  // Other scripts may have no trigrams, see `application_search_other`.
  if (/[a-z0-9]/.test(word)) return whole;
  const part = (word.length < SHORTEST_PART ? ` ${word}` : word).replaceAll('\\', '');
  const bytes = Buffer.from(part).toString('hex');
  const text = application.searchText;
  return and(hasOtherLettersSql(text), like(bytesSql(text), `%${bytes}%`), unindexed(whole));
}
