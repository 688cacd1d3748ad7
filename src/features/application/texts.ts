import * as z from 'zod/mini';
import { readDateFault, isPlainDate, type PlainDate } from '~/base/dates/dates.ts';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import { foldLetters, plainForms } from '~/base/letters.ts';
import { tidyDocumentNumber } from './document-number.ts';
import { machineReadable } from './machine-readable.ts';
import { tidyPhone } from './phone-codes.ts';

/*
 * The kinds of text that an application asks for. Each message is a code; its text is `<form>:errors.<field>.<code>`.
 * `zod/mini`, because browsers check with the same schemas.
 */

const CONTROL = /[^\P{Cc}\n]/u;
const OTHER_SCRIPT = /(?=\p{L})\P{Script=Latin}/u;
/** Characters that no place and no address has: pictures, currency and most mathematical signs. */
const NOT_WRITTEN = /[^\p{L}\p{Mn}\p{Mc}\p{N}\p{P}\p{Zs}\n+|°№´`]|\uFE0F/u;

/** Ways to write that one has no name; "NA" alone is a name. */
const NO_NAME = /^(?:[^\p{L}\p{N}]+|n\/a|n\.a\.?)$/iu;

const answered = (tidy: (typed: string) => string) =>
  z.string('required').check(
    z.overwrite((typed) => tidy(plainForms(typed))),
    z.trim(),
    z.minLength(1, 'required'),
  );

/** Tabs, line ends and spaces as they are pasted from other programs: one space. */
const oneLine = (typed: string): string => typed.replace(/\s+/gu, ' ');
/** The same of a text that may have several lines. */
const severalLines = (typed: string): string =>
  typed
    .replace(/[^\S\n]+/gu, ' ')
    .replaceAll(' \n', '\n')
    .replaceAll('\n ', '\n');

/** One vowel, as places (Å, Ö, Y, U) and families (O, E) are called; one consonant is an initial. */
const isVowel = (typed: string): boolean => /^[aeiouy]$/.test(foldLetters(typed));

const within = (
  answer: z.ZodMiniString,
  min: number,
  max: number,
  isShort = (typed: string) => typed.length < min,
) =>
  answer.check(
    z.refine((typed) => !isShort(typed), 'too_short'),
    z.maxLength(max, 'too_long'),
    z.refine((typed) => !CONTROL.test(typed), 'characters'),
  );

/** Trimmed text without control characters, of `min` to `max` characters. */
export const text = (min: number, max: number) => within(answered(severalLines), min, max);

/** Text that the authorities can read: Latin letters, accents included, with digits and the signs of an address. */
export const latinText = (min: number, max: number) => latin(text(min, max));

const latin = (answer: z.ZodMiniString) =>
  answer.check(
    z.refine((typed) => !OTHER_SCRIPT.test(typed), 'not_latin'),
    z.refine((typed) => !NOT_WRITTEN.test(typed), 'characters'),
  );

/** The name of a place: at least one letter; of `min` letters, or of one vowel. */
export const place = (min: number, max: number) =>
  latin(within(answered(oneLine), min, max, isShorterName(min))).check(
    z.refine((typed) => /\p{L}/u.test(typed), 'no_letter'),
  );

const isShorterName = (min: number) => (typed: string) => typed.length < min && !isVowel(typed);

/**
 * A name that the machine-readable lines of a passport can print, of `min` letters or of one vowel. That it is no name
 * at all is reported before its length.
 */
export const name = (min: number, max: number) =>
  within(
    answered(oneLine).check(z.refine((typed) => !NO_NAME.test(typed), 'no_name')),
    min,
    max,
    isShorterName(min),
  ).check((payload) => {
    const read = machineReadable(payload.value);
    if (read.ok && read.text !== '') return;
    payload.issues.push({
      code: 'custom',
      message: wrongIn(payload.value),
      input: payload.value,
    });
  });

function wrongIn(typed: string): string {
  if (/\p{Nd}/u.test(typed)) return 'digits';
  const read = machineReadable(typed);
  return read.ok ? 'characters' : read.error;
}

/** A well-formed email address, tidied. One that only looks mistyped is asked about, not refused. */
export const email = () =>
  z
    .string('required')
    .check(
      z.overwrite(tidyEmail),
      z.minLength(1, 'required'),
      z.maxLength(254, 'too_long'),
      z.refine(isEmailAddress, 'invalid'),
    );

const PHONE = /^\+?[\d\s\-/.()]*$/;
const digitsOf = (typed: string) => typed.replace(/\D/g, '').length;

/** At most 15 digits (ITU-T E.164), with the usual signs between them. `ReadPhone` decides whether it is a number. */
export const phone = () =>
  z.string('required').check(
    z.overwrite(tidyPhone),
    z.minLength(1, 'required'),
    z.regex(PHONE, 'invalid'),
    z.refine((typed) => digitsOf(typed) >= 5 && digitsOf(typed) <= 15, 'invalid'),
    z.maxLength(40, 'too_long'),
  );

/** Letters A to Z and digits, as the machine-readable lines have them (ICAO Doc 9303-4); spaces and hyphens go. */
export const documentNumber = () =>
  z.string('required').check(
    z.overwrite(tidyDocumentNumber),
    z.minLength(1, 'required'),
    z.regex(/^[A-Z0-9]*$/, 'characters'),
    z.minLength(4, 'too_short'),
    z.maxLength(20, 'too_long'),
    z.refine((number) => /\d/.test(number), 'no_digit'),
    z.refine((number) => !/^(\d)\1*$/.test(number), 'all_alike'),
  );

/** A form says which part is wrong, a call that the text is no date. */
const dateCode = ({ input }: { input?: unknown }): string =>
  readDateFault(String(input)) ?? 'date_invalid';

const dateText = () =>
  z
    .string('required')
    .check(z.trim(), z.minLength(1, 'required'), z.refine(isPlainDate, { error: dateCode }));

/** YYYY-MM-DD, a date that exists. */
export const date = () =>
  z.pipe(
    dateText(),
    z.transform((typed): PlainDate => (isPlainDate(typed) ? typed : z.NEVER)),
  );

/** A date, or the word for a document that does not expire. */
export const dateOrUnlimited = () =>
  z.pipe(
    z.string('required').check(
      z.trim(),
      z.minLength(1, 'required'),
      z.refine((typed) => typed === 'unlimited' || isPlainDate(typed), { error: dateCode }),
    ),
    z.transform((typed): PlainDate | 'unlimited' =>
      typed === 'unlimited' || isPlainDate(typed) ? typed : z.NEVER,
    ),
  );

/** A nationality by its three letters (ISO 3166-1, with the codes that passports add). */
export const countryCode = () =>
  z
    .string('required')
    .check(z.trim(), z.toUpperCase(), z.minLength(1, 'required'), z.regex(/^[A-Z]{3}$/, 'unknown'));

/** One option of a list; no choice and an unknown choice get different codes. */
export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options, { error: ({ input }) => (input ? 'unknown' : 'required') });

/** A box that has to be ticked. */
export const ticked = () => z.literal('yes', { error: 'required' });

/** The code of what is wrong with an answer, with the limit that a text exceeds, in characters. */
export function answerProblemCode(error: z.core.$ZodError): { code: string; count?: number } {
  const [issue] = error.issues;
  const code = issue?.message ?? 'invalid';
  return issue?.code === 'too_big' ? { code, count: Number(issue.maximum) } : { code };
}
