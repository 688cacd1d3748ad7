import * as z from 'zod/mini';
import { isPlainDate, type PlainDate } from '~/base/dates.ts';
import { latinDigits } from '~/base/digits.ts';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import { machineReadable } from './machine-readable.ts';

/*
 * The kinds of text that an application asks for. Every message is a code; its words are `visa:errors.<field>.<code>`.
 * `zod/mini`, because the same schemas check in the browser.
 */

const CONTROL = /[^\P{Cc}\n]/u;
const OTHER_SCRIPT = /(?=\p{L})\P{Script=Latin}/u;

/** Text of so many characters without control characters, trimmed. */
export const text = (min: number, max: number) =>
  z.string('required').check(
    z.trim(),
    z.minLength(1, 'required'),
    z.minLength(min, 'too_short'),
    z.maxLength(max, 'too_long'),
    z.refine((typed) => !CONTROL.test(typed), 'characters'),
  );

/** Text that the authorities can read: Latin letters, accents included. */
export const latinText = (min: number, max: number) =>
  text(min, max).check(z.refine((typed) => !OTHER_SCRIPT.test(typed), 'not_latin'));

/** A name that the machine-readable lines of a passport can print. */
export const name = (min: number, max: number) =>
  text(min, max).check((payload) => {
    const read = machineReadable(payload.value);
    if (read.ok && read.text !== '') return;
    const message = read.ok ? 'characters' : read.error;
    payload.issues.push({ code: 'custom', message, input: payload.value });
  });

/** An address that can be one, written tidily. What only looks mistyped is asked about, never refused. */
export const email = () =>
  z
    .string('required')
    .check(
      z.overwrite(tidyEmail),
      z.minLength(1, 'required'),
      z.maxLength(254, 'too_long'),
      z.refine(isEmailAddress, 'invalid'),
    );

/** At most 15 digits (ITU-T E.164), with the usual signs between them. */
const PHONE = /^\+?[\d\s\-/.()]*$/;
const digitsOf = (typed: string) => typed.replace(/\D/g, '').length;

export const phone = () =>
  z.string('required').check(
    z.overwrite((typed) => latinDigits(typed).replace(/\p{Cf}/gu, '')),
    z.trim(),
    z.minLength(1, 'required'),
    z.regex(PHONE, 'invalid'),
    z.refine((typed) => digitsOf(typed) >= 5 && digitsOf(typed) <= 15, 'invalid'),
    z.maxLength(40, 'too_long'),
  );

/** Letters A to Z and digits, as the machine-readable lines have them (ICAO Doc 9303-4); spaces and hyphens go. */
export const documentNumber = () =>
  z.string('required').check(
    z.overwrite((typed) =>
      latinDigits(typed)
        .replace(/[\s\p{Dash}\p{Cf}]/gu, '')
        .toUpperCase(),
    ),
    z.minLength(1, 'required'),
    z.regex(/^[A-Z0-9]*$/, 'characters'),
    z.minLength(4, 'too_short'),
    z.maxLength(20, 'too_long'),
  );

const dateText = () =>
  z
    .string('required')
    .check(z.trim(), z.minLength(1, 'required'), z.refine(isPlainDate, 'date_invalid'));

/** YYYY-MM-DD, a day that exists. */
export const date = () =>
  z.pipe(
    dateText(),
    z.transform((typed): PlainDate => (isPlainDate(typed) ? typed : z.NEVER)),
  );

/** A date, or the word for a document that does not end. */
export const dateOrUnlimited = () =>
  z.pipe(
    z.string('required').check(
      z.trim(),
      z.minLength(1, 'required'),
      z.refine((typed) => typed === 'unlimited' || isPlainDate(typed), 'date_invalid'),
    ),
    z.transform((typed): PlainDate | 'unlimited' =>
      typed === 'unlimited' || isPlainDate(typed) ? typed : z.NEVER,
    ),
  );

/** One of a list; nothing chosen and something else are told apart. */
export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options, { error: ({ input }) => (input ? 'unknown' : 'required') });

/** A box that has to be ticked. */
export const ticked = () => z.literal('yes', { error: 'required' });
