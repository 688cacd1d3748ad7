import * as z from 'zod/mini';
import { isMinor, splitDate } from '~/base/dates/dates.ts';
import {
  makeCheck,
  findBirth,
  turkishToday,
  type AnswerProblem as ProblemOf,
  type AnswerRule as RuleOf,
} from '~/features/form/answers/check.ts';
import {
  optional,
  type InsuranceField,
  type Question,
  type CheckContext,
  type InsuranceValues,
} from './answers.ts';
import { questions } from './questions.ts';
import { longestTrip, planNamed, tripDays } from './plans.ts';
import { YEARS_AHEAD } from '~/features/form/answers/limits.ts';

export type InsuranceProblem = ProblemOf<InsuranceField>;
type Rule = RuleOf<InsuranceField, InsuranceValues, CheckContext>;

const rule = (field: InsuranceField, needs: readonly Question[], find: Rule['find']): Rule => ({
  field,
  needs,
  find,
});

/**
 * The checks in the order of the customer's specification: a name is the check of a single answer, a rule one across
 * answers. Questions of our own come where their field is on the page, and the plan's length last.
 */
const checks: readonly (Question | Rule)[] = [
  'productId',
  rule('productId', ['productId'], ({ productId = '' }, { plans }) =>
    planNamed(plans, productId) ? null : 'unknown',
  ),
  'firstName',
  'lastName',
  'email',
  'phone',
  'passportNumber',
  'nationality',
  rule('nationality', ['nationality'], ({ nationality = '' }, { isNationality }) =>
    isNationality(nationality) ? null : 'unknown',
  ),
  'documentType',
  'placeOfBirth',
  'travelDate',
  rule('travelDate', ['travelDate'], ({ travelDate }, checkContext) => {
    const today = turkishToday(checkContext);
    if (travelDate && travelDate < today) return 'past';
    const lastYear = splitDate(today).year + YEARS_AHEAD;
    return travelDate && splitDate(travelDate).year > lastYear ? 'too_far' : null;
  }),
  'returnDate',
  rule('returnDate', ['travelDate', 'returnDate'], ({ travelDate, returnDate }, { plans }) => {
    if (!travelDate || !returnDate) return null;
    const days = tripDays(travelDate, returnDate);
    if (days === null) return 'not_after';
    const longest = longestTrip(plans);
    return days > longest ? { code: 'too_long', count: longest } : null;
  }),
  'dateOfBirth',
  rule('dateOfBirth', ['dateOfBirth'], ({ dateOfBirth }, checkContext) =>
    findBirth(dateOfBirth, turkishToday(checkContext)),
  ),
  rule('parentIdPhotos', ['travelDate', 'dateOfBirth'], (values, { photos }) => {
    const { travelDate, dateOfBirth } = values;
    const needsPhoto = travelDate && dateOfBirth && isMinor(dateOfBirth, travelDate);
    return needsPhoto && photos === 0 ? 'required' : null;
  }),
  rule('productId', ['productId', 'travelDate', 'returnDate'], (values, { plans }) => {
    const { productId = '', travelDate, returnDate } = values;
    const days = travelDate && returnDate ? tripDays(travelDate, returnDate) : null;
    const plan = planNamed(plans, productId);
    return days !== null && plan && plan.days < days ? { code: 'too_short', count: days } : null;
  }),
];

/** Checks all answers. */
export const check = makeCheck<InsuranceField, Question, InsuranceValues, CheckContext>({
  questions,
  checks,
  asked: (question) => (optional.includes(question) ? 'optional' : 'required'),
  nationalityOf: ({ nationality }) => {
    const read = z.safeParse(questions.nationality, nationality);
    return read.success ? read.data : '';
  },
  valuesOf: (read) => read,
});
