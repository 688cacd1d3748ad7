import { and, eq, like, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import type { Search } from './search-words.ts';

/** Two names together can be as long, but do not begin so. */
const WHOLE_NUMBER = /^TR[VI].{13}$/;
/** The index knows parts of three letters; of fewer it knows words that begin with them. */
const SHORTEST_PART = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < SHORTEST_PART ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/**
 * Every word stands in name or e-mail, or it is a part of the number. `few`: the rows are few and are read whole; then the
 * index, which knows a frequent name in all hundred thousand rows, is left out of it.
 */
export function searchCondition({ words, number }: Search, few: boolean): SQL | undefined {
  if (number !== null && WHOLE_NUMBER.test(number)) return eq(application.number, number);
  if (words.length === 0) return sql`false`;
  const column = (one: PgColumn) => (few ? sql`(${one} || '')` : one);
  return or(
    and(...words.map((word) => like(column(application.searchText), wordPattern(word)))),
    number === null ? undefined : like(column(application.number), `%${number}%`),
  );
}
