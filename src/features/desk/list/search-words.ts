import { normaliseNumber } from '~/features/application/number.ts';

/**
 * A search as the store takes it: every word must occur in name or email, or the number must match. One or two letters
 * must begin a name or email; signs alone are no word, and without words nothing is found.
 */
export type Search = { words: readonly string[]; number: string | null };

const LONGEST_SEARCH = 120;
/** Fewer characters match half of all numbers. */
const SHORTEST_NUMBER_PART = 4;
/** The letters of numbers, and the I of their prefix: "Yılmaz" is part of none. */
const NUMBER_PART = /^(?:T?R?I)?[0-9A-HJKMNP-TV-Z]*$/;

/** Reads the search box; null for an empty one. Case, accents and spaces in numbers are ignored. */
export function readSearch(typed: string): Search | null {
  const text = typed.slice(0, LONGEST_SEARCH);
  const typedWords = foldLetters(text)
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (typedWords.length === 0) return null;
  const words = typedWords.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const number = normaliseNumber(text);
  const isNumber = number.length >= SHORTEST_NUMBER_PART && NUMBER_PART.test(number);
  return { words, number: isNumber ? number : null };
}

/** Folds letters as the stored column does, see `searchedSql`. Signs of email addresses stay. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ıøłđ]/g, (letter) => 'iold'['ıøłđ'.indexOf(letter)] ?? letter);
