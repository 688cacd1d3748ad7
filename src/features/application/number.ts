import { latinDigits } from '~/base/digits.ts';
import { PREFIX_LENGTH } from '~/base/format-number.ts';
import { typingMistakes } from '~/base/letters.ts';
import { ALPHABET, checkCharacter, hasValidCheckCharacter } from './number-check.ts';

/** What a number stands for. A group is an order of several applications. */
export type NumberKind = 'visa' | 'insurance' | 'group';

export const prefixes = { visa: 'TRV', insurance: 'TRI', group: 'TRG' } as const;
export type NumberPrefix = (typeof prefixes)[NumberKind];

const BODY_LENGTH = 12;
export const NUMBER_LENGTH = PREFIX_LENGTH + BODY_LENGTH + 1;
/** Shorter input gets its own message, before any other check, by the customer's specification. */
export const SHORTEST_NUMBER = 6;

/**
 * A new number: prefix, 12 characters of 5 random bits each, check character. `bytes`, at least 12, must come from a
 * cryptographic source: whoever knows the number sees the status, so its 60 bits are a secret.
 */
export function makeNumber(prefix: NumberPrefix, bytes: Uint8Array): string {
  if (bytes.length < BODY_LENGTH)
    throw new RangeError(`A number takes ${BODY_LENGTH} random bytes`);
  const body = Array.from(bytes.subarray(0, BODY_LENGTH), (byte) => ALPHABET.charAt(byte & 31));
  const text = prefix + body.join('');
  return text + checkCharacter(text);
}

/** A longer text is no number, and the pattern below would take a time that grows with the square of its length. */
const MAX_IN_SENTENCE = 64;
/** A number with the signs of a sentence or a list around it and behind its prefix: “#TRV…”, “TRV: ….”. */
const IN_SENTENCE = /^[\p{P}\p{S}]*(TR[VIG])[:#.]*(.*?)[\p{P}\p{S}]*$/u;

/**
 * What was typed or pasted in the form we store: capitals, Latin digits, no spaces, hyphens, invisible marks or signs
 * of a sentence around it (“#TRV…”, “TRV: ….”); after the prefix O becomes 0, I and L become 1. Does not check that it
 * is a number.
 */
export function normaliseNumber(text: string): string {
  // Decomposed so that marks can be removed: a Turkish keyboard's capital I may carry a dot.
  const typed = latinDigits(text.normalize('NFKD'))
    .replace(/[\s\p{Dash}\p{Cf}\p{M}]/gu, '')
    .toUpperCase();
  const bare = typed.length > MAX_IN_SENTENCE ? typed : typed.replace(IN_SENTENCE, '$1$2');
  const body = bare.slice(PREFIX_LENGTH).replaceAll('O', '0').replace(/[IL]/g, '1');
  return bare.slice(0, PREFIX_LENGTH) + body;
}

/**
 * `mistyped`: looks like one of our numbers, but the check character is wrong. `not_a_number`: does not look like one.
 */
export type NumberError = 'empty' | 'too_short' | 'not_a_number' | 'mistyped';

export type NumberReading =
  | { readonly ok: true; readonly number: string; readonly kind: NumberKind }
  | { readonly ok: false; readonly error: NumberError };

/** Reads what a visitor typed; does not say whether such an application exists. */
export function readNumber(text: string): NumberReading {
  const number = normaliseNumber(text);
  if (number === '') return { ok: false, error: 'empty' };
  if (number.length < SHORTEST_NUMBER) return { ok: false, error: 'too_short' };
  const kind = kindOf(number);
  if (kind && number.length === NUMBER_LENGTH && hasValidCheckCharacter(number))
    return { ok: true, number, kind };
  const meant = kind !== null || (number.length === NUMBER_LENGTH && /^[A-Z0-9]+$/.test(number));
  return { ok: false, error: meant ? 'mistyped' : 'not_a_number' };
}

/**
 * Whether a whole number of ours was meant, and cannot be one: of its length or longer, with a prefix that has at most
 * one mistake. Parts of numbers, and names that begin so, are none.
 */
export function isMistypedNumber(text: string): boolean {
  const number = normaliseNumber(text);
  if (readNumber(text).ok || !/^[A-Z0-9]+$/.test(number)) return false;
  const isNamed = /[\s,;]/.test(text.trim()) && !/\d/.test(latinDigits(text));
  const prefix = number.slice(0, PREFIX_LENGTH);
  const isMeant =
    number.length === NUMBER_LENGTH
      ? Object.values(prefixes).some((one) => typingMistakes(one, prefix) <= 1)
      : number.length === NUMBER_LENGTH + 1 && kindOf(number) !== null;
  return isMeant && !isNamed;
}

/** The kind by the prefix alone. */
function kindOf(number: string): NumberKind | null {
  const prefix = number.slice(0, PREFIX_LENGTH);
  if (prefix === prefixes.visa) return 'visa';
  if (prefix === prefixes.insurance) return 'insurance';
  return prefix === prefixes.group ? 'group' : null;
}
