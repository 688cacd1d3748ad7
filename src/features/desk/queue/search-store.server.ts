import { and, eq, like, or, sql, type SQL } from 'drizzle-orm';
import { bytesSql, hasOtherLettersSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { unindexed } from './list-order-store.server.ts';
import type { Search } from './search-words.ts';

/** Two names together can be as long, but do not begin so. */
const WHOLE_NUMBER = /^TR[VI].{13}$/;
/** The index knows parts of three letters; of fewer it knows words that begin with them. */
const SHORTEST_PART = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < SHORTEST_PART ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/** Whether a search is for one application by its whole number, or for nothing: then there is nothing to scan. */
export const isLookedUp = ({ words, number }: Search): boolean =>
  words.length === 0 || (number !== null && WHOLE_NUMBER.test(number));

/** Every word stands in name or e-mail, or it is a part of the number. */
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
 * The same for the indexes of names. Of an e-mail address they are asked for what stands before the sign alone: half of
 * all letters go to the same few houses, and PostgreSQL would go through all of them.
 */
export const indexedMatch = ({ words, number }: Search): SQL =>
  either(words.map(wordMatch), number);

function wordMatch(word: string): SQL | undefined {
  const pattern = wordPattern(word);
  const whole = like(application.searchText, pattern);
  const box = word.slice(0, word.indexOf('@') + 1);
  if (box.length > SHORTEST_PART)
    return and(like(application.searchText, wordPattern(box)), unindexed(whole));
  // Of other scripts there may be no trigrams, see `application_search_other`.
  if (/[a-z0-9]/.test(word)) return whole;
  const part = (word.length < SHORTEST_PART ? ` ${word}` : word).replaceAll('\\', '');
  const bytes = Buffer.from(part).toString('hex');
  const text = application.searchText;
  return and(hasOtherLettersSql(text), like(bytesSql(text), `%${bytes}%`), unindexed(whole));
}
