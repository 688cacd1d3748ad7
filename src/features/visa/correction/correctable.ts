import type { Answers, CountryTerms, Field, Situation, Values } from '../rules/answers.ts';
import { check } from '../rules/check.ts';
import type { Problem } from '../rules/rule.ts';

/**
 * What staff may ask a traveller to correct, in the order of the passport. Not the nationality and the speed: the price
 * hangs on them; an arrival only within the speed that was paid. Not the e-mail: the link goes there. A question without
 * an entry does not compile.
 */
const mayBeCorrected = {
  lastName: true,
  firstName: true,
  passportNumber: true,
  dateOfBirth: true,
  placeOfBirth: true,
  passportIssueDate: true,
  passportExpiryDate: true,
  motherName: true,
  fatherName: true,
  phone: true,
  address: true,
  arrivalDate: true,
  supportingDocumentNumber: true,
  supportingDocumentStartDate: true,
  supportingDocumentEndDate: true,
  countryId: false,
  documentType: false,
  hasSupportingDocument: false,
  supportingDocumentType: false,
  visaCountry: false,
  residenceCountry: false,
  purpose: false,
  processingType: false,
  ordinaryPassport: false,
  validPassport: false,
  enterWithin3Months: false,
  stayWithin30Days: false,
  nameConfirmed: false,
  email: false,
} as const satisfies Record<Field, boolean>;

type Entries = typeof mayBeCorrected;
export type Correctable = { [F in Field]: Entries[F] extends true ? F : never }[Field];

const isCorrectable = (name: string): name is Correctable =>
  new Map<string, boolean>(Object.entries(mayBeCorrected)).get(name) === true;

export const correctable: readonly Correctable[] =
  Object.keys(mayBeCorrected).filter(isCorrectable);

/** The known ones of some names, in the order of the passport. */
export const correctableOf = (names: readonly string[]): Correctable[] =>
  correctable.filter((field) => names.includes(field));

/** What there is to correct about a supporting document: nothing without one, a start only of a Schengen visa. */
export function correctableWith(document: { issuer: string | null } | null): Correctable[] {
  return correctable.filter((field) => {
    if (!field.startsWith('supportingDocument')) return true;
    return document && (field !== 'supportingDocumentStartDate' || document.issuer === 'SCHENGEN');
  });
}

/** What the page asks for: a changed name has to be confirmed as in the wizard. */
export const controlsFor = (fields: readonly Correctable[]): Field[] =>
  fields.some((field) => field === 'firstName' || field === 'lastName')
    ? [...fields, 'nameConfirmed']
    : [...fields];

/** What a supporting document's dates can do to an arrival that stays. */
const arrivalTells: Partial<Record<Field, string>> = {
  supportingDocumentStartDate: 'before_document',
  supportingDocumentEndDate: 'after_document',
};

/**
 * Judges corrected answers by the wizard's own rules, today and as of the application: what was true then of the
 * arrival is no longer true once it is near, and a passport may have been issued since. `appliedAt` is the day of
 * application, later by the time that was waited: as far as the promise has moved, a new arrival may be judged. `closures`: as known on
 * the day of application, for what was promised does not depend on later ones.
 */
export function checkCorrection(
  { stored, corrected, asked }: { stored: Answers; corrected: Answers; asked: readonly Field[] },
  {
    now,
    appliedAt,
    country,
    closures,
    readPhone,
  }: Situation & { appliedAt: Date; country: CountryTerms },
): { problems: Problem[]; values: Values } {
  const answers: Answers = { ...stored };
  for (const field of asked) answers[field] = corrected[field] ?? '';
  const today = check(answers, { now, country, closures, readPhone });
  const then = check(answers, {
    now: appliedAt,
    country,
    closures,
    readPhone,
  }).problems.filter(({ field, code }) => !(field === 'passportIssueDate' && code === 'future'));
  const problems = asked.flatMap((field) => {
    const all = [...today.problems, ...then];
    const found = all.find((problem) => problem.field === field);
    if (found) return found;
    const code = arrivalTells[field];
    // The arrival is not asked about, so its problem is told where it can be put right.
    const isTold = all.some((one) => one.field === 'arrivalDate' && one.code === code);
    if (code && isTold && !asked.includes('arrivalDate')) return { field, code };
    // Another speed would cost another price. One that was bought is kept where a cheaper one were as fast now.
    const isLate =
      field === 'arrivalDate' &&
      then.some((one) => one.field === 'processingType' && one.code !== 'no_faster');
    return isLate ? { field, code: 'other_speed' } : [];
  });
  return { problems, values: today.values };
}
