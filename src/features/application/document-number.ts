import { latinDigits } from '~/base/digits.ts';
import { plainForms } from '~/base/letters.ts';

/**
 * A document's number as it is stored and shown: Latin digits and capitals, also of full-width letters; spaces, hyphens
 * and direction marks go.
 */
export const tidyDocumentNumber = (typed: string): string =>
  latinDigits(plainForms(typed))
    .replace(/[\s\p{Dash}\p{Cf}]/gu, '')
    .toUpperCase();

/** A document number as shown on screens and in emails: first and last two characters, "A0•••••47". */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '•'.repeat(number.length);
  return `${number.slice(0, 2)}${'•'.repeat(number.length - 4)}${number.slice(-2)}`;
}
