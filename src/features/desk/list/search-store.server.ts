import { and, eq, like, or, sql, type SQL } from 'drizzle-orm';
import { bytesSql, hasOtherLettersSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { unindexed } from './list-order-store.server.ts';
import type { Search } from './search-words.ts';

/** Two names may be as long, but do not begin so. */
const WHOLE_NUMBER = /^TR[VI].{13}$/;
/** Trigrams find parts of three letters; shorter ones are found at the beginning of words. */
const SHORTEST_PART = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < SHORTEST_PART ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/** Whether a search is for one application by its complete number, or for nothing: neither needs a scan. */
export const isLookedUp = ({ words, number }: Search): boolean =>
  words.length === 0 || (number !== null && WHOLE_NUMBER.test(number));

/** Every word occurs in name or email, or the text is part of the number. */
export function match(search: Search): SQL {
  const { words, number } = search;
  if (words.length === 0) return sql`false`;
  if (isLookedUp(search)) return eq(application.number, number ?? '');
  return either(
    words.map((word) => like(application.searchText, wordPattern(word))),
    number,
  );
}

const either = (named: readonly (SQL | undefined)[], number: string | null): SQL =>
  or(and(...named), number === null ? undefined : like(application.number, `%${number}%`)) ??
  sql`false`;

/**
 * The same for the indexes of names. An email address is searched in its part before the @ only: half of all addresses
 * share a few domains, whose rows PostgreSQL would all read.
 */
export const indexedMatch = ({ words, number }: Search): SQL =>
  either(words.map(wordMatch), number);

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
