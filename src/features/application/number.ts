import { latinDigits } from '~/base/digits.ts';
import { PREFIX_LENGTH } from '~/base/format-number.ts';
import { typingMistakes } from '~/base/letters.ts';

/** Crockford's base 32: no I, L, O (they look like 1 and 0) and no U. A letter's place is its value. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The check character, in the same 32 letters. The 32 values are the field GF(32): addition is exclusive or,
 * multiplication is that of polynomials modulo x⁵ + x³ + 1. The characters, check included, are the coefficients of a
 * polynomial that must vanish at α = x², which has order 31. So the character at distance i from the end weighs αⁱ:
 *
 * - one wrong character changes the sum by αⁱ · (difference), which is never 0;
 * - two characters swapped, neighbours or further apart, change it by (αⁱ + αʲ) · (difference), never 0 either as
 *   long as the powers differ: up to 31 characters.
 */
const FIELD = 0b101001;
const ALPHA = 0b00100;

/** Multiplication in GF(32). */
function times(a: number, b: number): number {
  let product = 0;
  for (let left = a, right = b; right > 0; right >>= 1) {
    if (right & 1) product ^= left;
    left <<= 1;
    if (left & 32) left ^= FIELD;
  }
  return product;
}

/**
 * The I of the prefix TRI stands for 1, as Crockford reads it. Prefixes are a fixed list, so no other number is
 * affected.
 */
const valueOf = (letter: string): number => ALPHABET.indexOf(letter === 'I' ? '1' : letter);

/** The value of the polynomial at α, by Horner's rule; null where a character is not one of the letters. */
function evaluate(text: string): number | null {
  let sum = 0;
  for (const letter of text) {
    const value = valueOf(letter);
    if (value < 0) return null;
    sum = times(sum, ALPHA) ^ value;
  }
  return sum;
}

/**
 * The check character for a prefix and body of up to 30 characters.
 * @throws Error on a character that is not in the alphabet.
 */
export function checkCharacter(text: string): string {
  const sum = evaluate(text);
  if (sum === null) throw new RangeError('Not in the alphabet');
  return ALPHABET.charAt(times(sum, ALPHA));
}

/** Whether a text ends in the check character of what precedes it. */
export const hasValidCheckCharacter = (text: string): boolean => evaluate(text) === 0;

/** What a number stands for. A group is an order of several applications. */
export type NumberKind = 'visa' | 'insurance' | 'group';

export const prefixes = { visa: 'TRV', insurance: 'TRI', group: 'TRG' } as const;
type NumberPrefix = (typeof prefixes)[NumberKind];

const BODY_LENGTH = 12;
export const NUMBER_LENGTH = PREFIX_LENGTH + BODY_LENGTH + 1;
/** Shorter input gets its own message, before any other check, by the customer's specification. */
export const MIN_NUMBER_LENGTH = 6;

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

type NumberReading =
  | { readonly ok: true; readonly number: string; readonly kind: NumberKind }
  | { readonly ok: false; readonly error: NumberError };

/** Reads what a visitor typed; does not say whether such an application exists. */
export function readNumber(text: string): NumberReading {
  const number = normaliseNumber(text);
  if (number === '') return { ok: false, error: 'empty' };
  if (number.length < MIN_NUMBER_LENGTH) return { ok: false, error: 'too_short' };
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
