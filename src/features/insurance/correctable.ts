import type { ReadPhone } from '~/features/application/phone-codes.ts';
import type {
  InsuranceAnswers,
  InsuranceField,
  Question,
  InsuranceValues,
} from './rules/answers.ts';
import { check, type InsuranceProblem } from './rules/check.ts';
import type { Plan } from './rules/plans.ts';

/**
 * What staff may ask an insured traveller to correct. Not the plan, because its price is paid (dates must stay within
 * it), and not the email address, because the link was sent to it.
 */
export const correctable = [
  'lastName',
  'firstName',
  'passportNumber',
  'dateOfBirth',
  'placeOfBirth',
  'phone',
  'travelDate',
  'returnDate',
  'parentIdPhotos',
] as const satisfies readonly InsuranceField[];
export type CorrectableInsuranceField = (typeof correctable)[number];

/** Those of some names that are known, in form order. */
export const pickInsuranceCorrectable = (names: readonly string[]): CorrectableInsuranceField[] =>
  correctable.filter((field) => names.includes(field));

/** Those of some fields that have a typed answer. */
export const correctableQuestions = (fields: readonly CorrectableInsuranceField[]): Question[] =>
  fields.flatMap((field) => (field === 'parentIdPhotos' ? [] : field));

/** Checks corrected answers by the form's rules, with the paid plan as the only one. */
export function checkCorrection(
  {
    stored,
    corrected,
    asked,
  }: {
    stored: InsuranceAnswers;
    corrected: InsuranceAnswers;
    asked: readonly CorrectableInsuranceField[];
  },
  { now, plan, photos, readPhone }: { now: Date; plan: Plan; photos: number; readPhone: ReadPhone },
): { problems: InsuranceProblem[]; values: InsuranceValues } {
  const { phoneCountry } = corrected;
  const answers: InsuranceAnswers = {
    ...stored,
    productId: plan.id,
    ...(phoneCountry && { phoneCountry }),
  };
  for (const field of correctableQuestions(asked)) answers[field] = corrected[field] ?? '';
  const checkContext = { now, plans: [plan], isNationality: () => true, photos, readPhone };
  const { problems: all, values } = check(answers, checkContext);
  const isBeyond = ({ field, code }: InsuranceProblem) =>
    (field === 'returnDate' && code === 'too_long') || field === 'productId';
  const problems = asked.flatMap((field) => {
    const found = all.find((one) => one.field === field && !isBeyond(one));
    if (found) return found;
    const isLast =
      field === 'returnDate' || (field === 'travelDate' && !asked.includes('returnDate'));
    // A longer trip would need another plan, at another price.
    return isLast && all.some(isBeyond) ? { field, code: 'beyond_plan', count: plan.days } : [];
  });
  // Fields that were not reopened keep their stored values, even where a day has passed since.
  return { problems, values: { ...read(stored), ...values } };
}

/** Stored answers, also those that today's rules would refuse. */
const read = (stored: InsuranceAnswers): InsuranceValues => {
  const kept: Record<string, unknown> = {};
  for (const [field, answer] of Object.entries(stored)) if (answer !== '') kept[field] = answer;
  return kept;
};
