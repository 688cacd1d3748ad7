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
