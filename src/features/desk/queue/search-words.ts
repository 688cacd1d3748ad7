import { latinDigits } from '~/base/digits.ts';
import { foldLetters, foldName, plainForms, searchSpellings } from '~/base/letters.ts';
import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

/**
 * A search as the store takes it: every word must occur in name or email, or the number must match, or the passport, the
 * phone or the authority's reference is the one typed. One or two letters must begin a name or email; signs alone are no
 * word, and without words nothing is found.
 */
export type Search = {
  readonly words: readonly SearchWord[];
  /** Several words as one name without gaps: “de la Cruz” may be stored as “Delacruz”. Null where they can be none. */
  readonly closed: SearchWord | null;
  /** Part of an application's number; null where the text can be none. */
  readonly number: string | null;
  /** Hashes of the text as a passport number; none where it can be none. */
  readonly passports: readonly Buffer[];
  /** The text as the authority's reference, in capitals without gaps and signs; null where it can be none. */
  readonly reference: string | null;
  /** Digits of a phone number, without zeros at the beginning; null where the text can be none. */
  readonly phone: string | null;
  /** Finds names with one typing mistake instead, where words are long enough, and nothing else. */
  readonly isNear: boolean;
};

/** How a word may be spelled in folded texts; the first is what was typed. */
export type SearchWord = readonly [typed: string, ...others: string[]];

const LONGEST_SEARCH = 120;
/** Fewer characters match half of all numbers. */
const MIN_NUMBER_PART_LENGTH = 4;
/** The letters of numbers, and the I of their prefix: "Yılmaz" is part of none. */
const NUMBER_PART = /^(?:T?R?I)?[0-9A-HJKMNP-TV-Z]*$/;
/** A passport number has a digit; sizes as the form takes them, and shorter than an application's number. */
const PASSPORT = /^(?=.*[0-9])[A-Z0-9]{5,15}$/;
/** A reference has a digit; of fewer characters it would be part of names. */
const REFERENCE = /^(?=.*[0-9])[A-Z0-9]{4,40}$/;
const PHONE = /^[+\d\s().\p{Dash}/\p{Cf}]+$/u;
/** Digits of a phone number without zeros at the beginning, by E.164 at most 15. */
const PHONE_DIGITS = /^[0-9]{7,15}$/;
/** A shorter spelling than what was typed finds too much. */
const MIN_SPELLING_LENGTH = 3;
/** In front of a search for names with one typing mistake. */
const NEAR = '~';
/** Every name of four letters is one mistake away from another. Names in other scripts have no trigrams. */
const NEAR_WORD = /^[a-z]{5,20}$/;

/**
 * Reads the search box; null for an empty one. Case, accents and spaces in numbers are ignored. `sealer`: for the hash
 * of a passport number.
 */
export function readSearch(typed: string, sealer: Pick<Sealer, 'keyedHash'>): Search | null {
  const isNear = isNearSearch(typed);
  const text = plainForms(typedText(typed)).slice(0, LONGEST_SEARCH);
  const typedWords = text.split(/[\s,;]+/).filter(Boolean);
  if (typedWords.length === 0) return null;
  const words = typedWords.map(spellings).filter(([word]) => /[\p{L}\p{N}]/u.test(word));
  const none = { closed: null, number: null, passports: [], reference: null, phone: null };
  if (isNear) return { words, ...none, isNear };
  const number = normaliseNumber(text);
  const isNumber = number.length >= MIN_NUMBER_PART_LENGTH && NUMBER_PART.test(number);
  const passport = tidyDocumentNumber(text);
  const reference = foldReference(text);
  const phone = PHONE.test(latinDigits(text))
    ? latinDigits(text).replace(/\D/g, '').replace(/^0+/, '')
    : '';
  return {
    words,
    closed: typedWords.length > 1 ? closedName(text) : null,
    number: isNumber ? number : null,
    passports: PASSPORT.test(passport) ? Object.values(passportHashes(sealer, passport)) : [],
    reference: REFERENCE.test(reference) ? reference : null,
    phone: PHONE_DIGITS.test(phone) ? phone : null,
    isNear,
  };
}

/** A reference in capitals without gaps and signs. */
const foldReference = (text: string): string =>
  tidyDocumentNumber(text).replaceAll(/[^0-9A-Z]/g, '');

function spellings(word: string): SearchWord {
  const typed = foldLetters(word);
  const others = searchSpellings(word).filter((one) => one !== typed);
  return [
    typed,
    ...others.filter((one) => one.length >= MIN_SPELLING_LENGTH || !isOfLetters(typed)),
  ];
}

/** Letters alone: a shorter spelling of others leaves out signs, not letters. */
const isOfLetters = (typed: string): boolean => /^\p{L}+$/u.test(typed);

function closedName(text: string): SearchWord | null {
  const name = foldName(text).replaceAll(' ', '');
  if (name.length < MIN_SPELLING_LENGTH || !isOfLetters(name)) return null;
  const [typed = name, ...others] = searchSpellings(text).filter(
    (one) => one.length >= MIN_SPELLING_LENGTH && isOfLetters(one),
  );
  return [typed, ...others];
}

/** The hashes under which applications keep a passport number, as `tidyDocumentNumber` writes it: a visa's, an insurance's. */
export const passportHashes = (
  sealer: Pick<Sealer, 'keyedHash'>,
  passport: string,
): { visa: Buffer; insurance: Buffer } => ({
  visa: sealer.keyedHash(passport, 'visa_application.passport_number'),
  insurance: sealer.keyedHash(passport, 'insurance_application.passport_number'),
});

const isNearSearch = (typed: string): boolean => typed.trimStart().startsWith(NEAR);

/** What was typed, of a search for names with one typing mistake too. */
export const typedText = (typed: string): string =>
  isNearSearch(typed) ? typed.trimStart().slice(NEAR.length) : typed;

/** The text of a search for names with one typing mistake; null where no word is a name of five letters or more. */
export const nearSearch = (typed: string): string | null =>
  typedText(typed)
    .split(/[\s,;]+/)
    .some((word) => NEAR_WORD.test(foldName(word)))
    ? NEAR + typedText(typed)
    : null;

/**
 * What stands in folded names for a typed one with one mistake, as regular expressions: a letter wrong, missing or too
 * many, or two neighbours swapped. None for a word that is too short to say.
 */
export function nearSpellings(spelled: SearchWord): string[] {
  const word = spelled.find((one) => NEAR_WORD.test(one));
  if (word === undefined) return [];
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    found.add(`${before}.${after}`);
    if (after === '') continue;
    found.add(`${before}.${after.slice(1)}`);
    found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  found.delete(word);
  return [...found];
}
