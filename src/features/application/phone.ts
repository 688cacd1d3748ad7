import { latinDigits } from '~/base/digits.ts';
import { plainForms } from '~/base/letters.ts';
import { ok, type Outcome } from '~/base/outcome.ts';

/** Why a tidy number cannot be called. Texts: `errors.phone.<code>` of each form. */
export type PhoneRefusal = 'no_country_code' | 'not_in_country' | 'not_possible';

/**
 * Reads a tidy phone number as one that can be called from anywhere. `nationality`: the country in which a number
 * without a country code is read; '' where it is unknown.
 */
export type ReadPhone = (tidy: string, nationality: string) => Outcome<string, PhoneRefusal>;

/** For browsers: the number ranges of all countries are too large to send, so only the server checks. */
export const leavePhoneToServer: ReadPhone = (tidy) => ok(tidy);

/**
 * A phone number as typed or pasted, with Latin digits and plain signs, and a plus sign for the 00 that most countries
 * dial before a country code.
 */
export const tidyPhone = (typed: string): string =>
  latinDigits(plainForms(typed))
    .replace(/\p{Cf}/gu, '')
    .replace(/\s/g, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
    .replace(/^00(?=[\d\s])/, '+')
    .replace(/^\+\s+/, '+');
