import { and, eq, like, or, sql, type SQL } from 'drizzle-orm';
import { application } from '~/features/application/tables.server.ts';
import type { Search } from './search-words.ts';

/** Letters of a whole application number. */
const WHOLE_NUMBER = 16;
/** The index knows parts of three letters; of fewer it knows words that begin with them. */
const SHORTEST_PART = 3;

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const wordPattern = (word: string): string =>
  word.length < SHORTEST_PART ? `% ${escaped(word)}%` : `%${escaped(word)}%`;

/** Every word stands in name or e-mail, or it is a part of the number. */
export function searchCondition({ words, number }: Search): SQL | undefined {
  if (words.length === 0) return sql`false`;
  return or(
    and(...words.map((word) => like(application.searchText, wordPattern(word)))),
    number === null ? undefined : numberCondition(number),
  );
}

const numberCondition = (number: string): SQL =>
  number.length === WHOLE_NUMBER
    ? eq(application.number, number)
    : like(application.number, `%${number}%`);
