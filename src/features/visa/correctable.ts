import type { VisaAnswers, CountryTerms, CheckContext, VisaProblem } from './rules/answers.ts';
import {
  fields,
  questionByField,
  type VisaField,
  type FieldWith,
  type QuestionGroup,
} from './rules/questions.ts';
import type { VisaValues } from './rules/schemas.ts';
import { check } from './rules/check.ts';

export type CorrectableVisaField = FieldWith<{ mayBeCorrected: true }>;

const isCorrectable = (field: VisaField): field is CorrectableVisaField =>
  questionByField(field).mayBeCorrected;

const groups: readonly QuestionGroup[] = ['passport', 'parents', 'contact', 'trip', 'document'];

/** What staff may ask a traveller to correct, beginning with the passport in its own order. */
export const correctable: readonly CorrectableVisaField[] = groups.flatMap((group) =>
  fields.filter(isCorrectable).filter((field) => questionByField(field).group === group),
);

/** Those of some names that are known, in the order of the passport. */
export const pickVisaCorrectable = (names: readonly string[]): CorrectableVisaField[] =>
  correctable.filter((field) => names.includes(field));

/** The correctable fields of a supporting document: none without one, a start date only for a Schengen visa. */
export function visaCorrectable(
  document: { issuer: string | null } | null,
): CorrectableVisaField[] {
  return correctable.filter((field) => {
    if (questionByField(field).group !== 'document') return true;
    return document && (field !== 'supportingDocumentStartDate' || document.issuer === 'SCHENGEN');
  });
}

/** The fields on the page: a changed name must be confirmed as in the wizard. */
export const correctionControls = (fields: readonly CorrectableVisaField[]): VisaField[] =>
  fields.some((field) => field === 'firstName' || field === 'lastName')
    ? [...fields, 'nameConfirmed']
    : [...fields];

/** How a supporting document's dates may conflict with an arrival that is not reopened. */
const codesOfArrival: Partial<Record<VisaField, string>> = {
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
  {
    stored,
    corrected,
    asked,
  }: { stored: VisaAnswers; corrected: VisaAnswers; asked: readonly VisaField[] },
  {
    now,
    appliedAt,
    country,
    office,
    readPhone,
  }: CheckContext & { appliedAt: Date; country: CountryTerms },
): { problems: VisaProblem[]; values: VisaValues } {
  const { phoneCountry } = corrected;
  const answers: VisaAnswers = { ...stored, ...(phoneCountry && { phoneCountry }) };
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
