import type { Answers, CountryTerms, Field, Values } from '../answers.ts';
import { check } from '../check.ts';
import type { Problem } from '../rule.ts';

/**
 * What staff may ask a traveller to correct. Not the nationality, arrival and speed: price and promise hang on them.
 * Not the e-mail: the link goes there.
 */
export const correctable = [
  'lastName',
  'firstName',
  'passportNumber',
  'dateOfBirth',
  'placeOfBirth',
  'passportIssueDate',
  'passportExpiryDate',
  'motherName',
  'fatherName',
  'phone',
  'address',
  'supportingDocumentNumber',
] as const satisfies readonly Field[];
export type Correctable = (typeof correctable)[number];

/** Longer is a letter, not a note. */
export const LONGEST_NOTE = 1000;

/** The known ones of some names, in the order of the passport. */
export const correctableOf = (names: readonly string[]): Correctable[] =>
  correctable.filter((field) => names.includes(field));

/** What the page asks for: a changed name has to be confirmed as in the wizard. */
export const controlsFor = (fields: readonly Correctable[]): Field[] =>
  fields.some((field) => field === 'firstName' || field === 'lastName')
    ? [...fields, 'nameConfirmed']
    : [...fields];

/**
 * Judges corrected answers by the wizard's own rules, today and as of the application: what was true then of the
 * arrival is no longer true once it is near, and a passport may have been issued since.
 */
export function checkCorrection(
  { stored, corrected, asked }: { stored: Answers; corrected: Answers; asked: readonly Field[] },
  { now, appliedAt, country }: { now: Date; appliedAt: Date; country: CountryTerms },
): { problems: Problem[]; values: Values } {
  const answers: Answers = { ...stored };
  for (const field of asked) answers[field] = corrected[field] ?? '';
  const today = check(answers, { now, country });
  const then = check(answers, { now: appliedAt, country }).problems.filter(
    ({ field, code }) => !(field === 'passportIssueDate' && code === 'future'),
  );
  const problems = asked.flatMap((field) => {
    const found = [...today.problems, ...then].find((problem) => problem.field === field);
    return found ?? [];
  });
  return { problems, values: today.values };
}
