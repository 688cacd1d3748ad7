import type { CountryOption } from '~/features/catalog/picker/search.ts';
import { tidyPhone } from './phone.ts';

/**
 * Name of the control beside a phone number: a country, whose code is added to a number without one. Not an answer by
 * itself; a code in the number takes precedence.
 */
export const PHONE_COUNTRY = 'phoneCountry';

/** Countries with their codes for a select, one per line: half the bytes of a list of objects. */
export type PhoneCodes = string;

export const toPhoneCodes = (options: readonly CountryOption[]): PhoneCodes =>
  options.map(({ id, name }) => `${id}\t${name}`).join('\n');

const read = new Map<PhoneCodes, readonly CountryOption[]>();

/**
 * The options; the same list for the same text, so that they are made once. Names end with the code: "Germany (+49)".
 */
export function phoneCodeOptions(codes: PhoneCodes): readonly CountryOption[] {
  const known = read.get(codes);
  if (known) return known;
  const options = codes.split('\n').map((line): CountryOption => {
    const [id = '', name = ''] = line.split('\t');
    return { id, name };
  });
  read.set(codes, options);
  return options;
}

/** The digits of an option's code. */
const codeIn = ({ name }: CountryOption): string => /\+(\d+)/.exec(name)?.[1] ?? '';

/** The digits of a number that begins with a country code; null for one that does not. */
function digitsWithCode(typed: string): string | null {
  const tidy = tidyPhone(typed);
  return tidy.startsWith('+') ? tidy.replaceAll(/\D/g, '') : null;
}

/**
 * The country that a number's code names, `preferred` where it is one of several; '' where the number begins with no
 * code, null where it begins with one that is not on the list.
 */
export function countryOfNumber(
  typed: string,
  options: readonly CountryOption[],
  preferred: string,
): string | null {
  const digits = digitsWithCode(typed);
  if (digits === null) return '';
  const fitting = options.filter((one) => digits.startsWith(codeIn(one)));
  const longest = Math.max(0, ...fitting.map((one) => codeIn(one).length));
  const named = fitting.filter((one) => codeIn(one).length === longest);
  return (named.find(({ id }) => id === preferred) ?? named[0])?.id ?? null;
}

/**
 * What the number becomes when a country is chosen beside it: another country's code is replaced. A number without a
 * code stays as it is; the server reads it in the chosen country.
 */
export function numberWithCodeOf(
  typed: string,
  options: readonly CountryOption[],
  country: string,
): string {
  const chosen = options.find(({ id }) => id === country);
  if (!chosen) return typed;
  const code = codeIn(chosen);
  const digits = digitsWithCode(typed);
  if (digits === null || digits.startsWith(code)) return typed;
  const before = options.find(({ id }) => id === countryOfNumber(typed, options, country));
  const rest = before ? digits.slice(codeIn(before).length) : '';
  return before || digits === '' ? `+${code} ${rest}` : typed;
}
