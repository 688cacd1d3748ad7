import type { Answers, CountryTerms, Field, CheckContext, Values } from './rules/answers.ts';
import { check } from './rules/check.ts';
import type { Problem } from './rules/rule.ts';

/**
 * What staff may ask a traveller to correct, in the order of the passport. Not nationality and speed, because the price
 * depends on them (a new arrival must suit the paid speed), and not the email address, because the link was sent to it.
 * A question without an entry does not compile.
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

/** Those of some names that are known, in the order of the passport. */
export const correctableOf = (names: readonly string[]): Correctable[] =>
  correctable.filter((field) => names.includes(field));

/** The correctable fields of a supporting document: none without one, a start date only for a Schengen visa. */
export function correctableWith(document: { issuer: string | null } | null): Correctable[] {
  return correctable.filter((field) => {
    if (!field.startsWith('supportingDocument')) return true;
    return document && (field !== 'supportingDocumentStartDate' || document.issuer === 'SCHENGEN');
  });
}

/** The fields on the page: a changed name must be confirmed as in the wizard. */
export const controlsFor = (fields: readonly Correctable[]): Field[] =>
  fields.some((field) => field === 'firstName' || field === 'lastName')
    ? [...fields, 'nameConfirmed']
    : [...fields];

/** How a supporting document's dates may conflict with an arrival that is not reopened. */
const codesOfArrival: Partial<Record<Field, string>> = {
  supportingDocumentStartDate: 'before_document',
  supportingDocumentEndDate: 'after_document',
};

/**
 * Checks corrected answers by the wizard's rules, as of today and as of the application: rules about a distant arrival
 * fail once it is near, and a passport may have been issued since. `appliedAt`: the day of application plus the time of
 * pauses, so that a new arrival is checked against the moved promise. `office`: as known on the day of application,
 * because later ones do not change what was promised.
 */
export function checkCorrection(
  { stored, corrected, asked }: { stored: Answers; corrected: Answers; asked: readonly Field[] },
  {
    now,
    appliedAt,
    country,
    office,
    readPhone,
  }: CheckContext & { appliedAt: Date; country: CountryTerms },
): { problems: Problem[]; values: Values } {
  const { phoneCountry } = corrected;
  const answers: Answers = { ...stored, ...(phoneCountry && { phoneCountry }) };
  for (const field of asked) answers[field] = corrected[field] ?? '';
  const today = check(answers, { now, country, office, readPhone });
  const then = check(answers, {
    now: appliedAt,
    country,
    office,
    readPhone,
  }).problems.filter(({ field, code }) => !(field === 'passportIssueDate' && code === 'future'));
  const problems = asked.flatMap((field) => {
    const all = [...today.problems, ...then];
    const found = all.find((problem) => problem.field === field);
    if (found) return found;
    const code = codesOfArrival[field];
    // The arrival is not reopened, so its problem is reported at a field that is.
    const hasArrivalProblem = all.some((one) => one.field === 'arrivalDate' && one.code === code);
    if (code && hasArrivalProblem && !asked.includes('arrivalDate')) return { field, code };
    // Another speed would have another price, and a paid one stays where a cheaper one would be as fast now.
    const isLate =
      field === 'arrivalDate' &&
      then.some((one) => one.field === 'processingType' && one.code !== 'no_faster');
    return isLate ? { field, code: 'other_speed' } : [];
  });
  return { problems, values: today.values };
}
