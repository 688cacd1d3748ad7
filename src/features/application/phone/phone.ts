import { latinDigits } from '~/base/digits.ts';
import { ok, type Outcome } from '~/base/outcome.ts';

/** Why a tidy number cannot be called. Words: `errors.phone.<code>` of each form. */
export type PhoneRefusal = 'no_country_code' | 'not_possible';

/**
 * Reads a tidy phone number as one that can be called from anywhere. `nationality`: in whose country a number without a
 * country code is read; '' where that is not known.
 */
export type ReadPhone = (tidy: string, nationality: string) => Outcome<string, PhoneRefusal>;

/** For browsers: the lists of numbers of all countries are the server's, which judges what is sent. */
export const leavePhoneToServer: ReadPhone = (tidy) => ok(tidy);

/**
 * What somebody typed or pasted, as a phone number is written: Latin digits, plain signs, and the plus sign for the 00
 * that most countries dial before a country code.
 */
export const tidyPhone = (typed: string): string =>
  latinDigits(typed.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
    .replace(/^00(?=[\d\s])/, '+')
    .replace(/^\+\s+/, '+');
