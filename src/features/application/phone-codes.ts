import type { CountryOption } from '~/features/catalog/picker/search.ts';
import { latinDigits } from '~/base/digits.ts';
import { plainForms } from '~/base/letters.ts';
import { ok, type Outcome } from '~/base/outcome.ts';

/** Why a tidy number cannot be called. Texts: `errors.phone.<code>` of each form. */
type PhoneRefusal = 'no_country_code' | 'not_in_country' | 'not_possible';

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

/**
 * Name of the control beside a phone number: a country, whose code is added to a number without one. Not an answer by
 * itself; a code in the number takes precedence.
 */
export const PHONE_COUNTRY = 'phoneCountry';

/** Countries with their codes for a select, one per line: half the bytes of a list of objects. */
export type PhoneCodes = string;

/** A country with its code; `isMain`: of the countries that share the code, the one it stands for first. */
type PhoneCodeOption = CountryOption & { isMain: boolean };

const MAIN = '\tmain';

/** Writes the list; a code that only one country has is not marked. */
export function toPhoneCodes(options: readonly PhoneCodeOption[]): PhoneCodes {
  const count = new Map<string, number>();
  for (const one of options) count.set(codeIn(one), (count.get(codeIn(one)) ?? 0) + 1);
  const isShared = (one: PhoneCodeOption) => (count.get(codeIn(one)) ?? 0) > 1;
  return options
    .map((one) => `${one.id}\t${one.name}${one.isMain && isShared(one) ? MAIN : ''}`)
    .join('\n');
}

const optionsByText = new Map<PhoneCodes, readonly PhoneCodeOption[]>();

/**
 * The options; the same list for the same text, so that they are made once. Names end with the code: "Germany (+49)".
 */
export function phoneCodeOptions(codes: PhoneCodes): readonly PhoneCodeOption[] {
  const known = optionsByText.get(codes);
  if (known) return known;
  const options = codes.split('\n').map((line): PhoneCodeOption => {
    const [id = '', name = ''] = line.split('\t');
    return { id, name, isMain: line.endsWith(MAIN) };
  });
  optionsByText.set(codes, options);
  return options;
}

/** The name of a country on the list, without its code; null for one that is not on it. */
export const phoneCountryName = (codes: PhoneCodes, code: string): string | null =>
  phoneCodeOptions(codes)
    .find(({ id }) => id === code)
    ?.name.replace(/\s*\P{L}*\+\d+\P{L}*$/u, '') ?? null;

/** The digits of an option's code. */
const codeIn = ({ name }: CountryOption): string => /\+(\d+)/.exec(name)?.[1] ?? '';

/** The digits of a number that begins with a country code; null for one that does not. */
function digitsWithCode(typed: string): string | null {
  const tidy = tidyPhone(typed);
  return tidy.startsWith('+') ? tidy.replaceAll(/\D/g, '') : null;
}

/**
 * The country that a number's code names; of several the `preferred` one, or else the code's main country. '' where the number begins with no
 * code, null where it begins with one that is not on the list.
 */
export function phoneNumberCountry(
  typed: string,
  options: readonly PhoneCodeOption[],
  preferred: string,
): string | null {
  const digits = digitsWithCode(typed);
  if (digits === null) return '';
  const fitting = options.filter((one) => digits.startsWith(codeIn(one)));
  const longest = Math.max(0, ...fitting.map((one) => codeIn(one).length));
  const named = fitting.filter((one) => codeIn(one).length === longest);
  const main = named.find(({ isMain }) => isMain) ?? named[0];
  return (named.find(({ id }) => id === preferred) ?? main)?.id ?? null;
}

/**
 * What the number becomes when a country is chosen beside it: another country's code is replaced. A number without a
 * code stays as it is; the server reads it in the chosen country.
 */
export function replacePhoneCode(
  typed: string,
  options: readonly PhoneCodeOption[],
  country: string,
): string {
  const chosen = options.find(({ id }) => id === country);
  if (!chosen) return typed;
  const code = codeIn(chosen);
  const digits = digitsWithCode(typed);
  if (digits === null || digits.startsWith(code)) return typed;
  const before = options.find(({ id }) => id === phoneNumberCountry(typed, options, country));
  const rest = before ? digits.slice(codeIn(before).length) : '';
  return before || digits === '' ? `+${code} ${rest}` : typed;
}
