import { ageOn, dateOf, partsOf, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import * as z from 'zod/mini';
import { codeOf } from '~/features/application/texts.ts';
import {
  optional,
  questions,
  type Answers,
  type Field,
  type Question,
  type Situation,
  type Values,
} from './answers.ts';
import { longestTrip, planNamed } from './plans.ts';
import { isMinor, tripDays } from './trip.ts';

/** What is wrong with an answer. Words: `insurance:errors.<field>.<code>`; the rest is written into them. */
export type Problem = {
  field: Field;
  code: string;
  date?: PlainDate;
  count?: number;
  /** What was probably meant. */
  suggestion?: string;
  /** Of an uploaded file. */
  name?: string;
};
type Finding = string | Omit<Problem, 'field'> | null;

/**
 * Asked only when the answers it `needs` are valid and its field has no problem yet. `field` may be answered wrongly
 * by itself, too: then `needs` names it.
 */
type Rule = {
  field: Field;
  needs: readonly Question[];
  find: (values: Values, situation: Situation) => Finding;
};

/** Nobody is older; selectors offer 80 years, typing accepts these (product decision). */
const OLDEST_YEARS = 120;
/** This year and the ten after it, as for an arrival. */
const YEARS_AHEAD = 10;

const rule = (
  field: Field,
  needs: readonly Question[],
  find: (values: Values, situation: Situation) => Finding,
): Rule => ({ field, needs, find });

const todayOf = ({ now }: Situation): PlainDate => dateOf(now, TURKIYE);

/**
 * The checks in the specification's order (section 5, insurance form): an answer by itself is a name, what answers mean
 * for one another a rule. What the specification does not ask comes where its field stands, and the plan's length last.
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
  'destination',
  'travelDate',
  rule('travelDate', ['travelDate'], ({ travelDate }, situation) => {
    const today = todayOf(situation);
    if (travelDate && travelDate < today) return 'past';
    const lastYear = partsOf(today).year + YEARS_AHEAD;
    return travelDate && partsOf(travelDate).year > lastYear ? 'too_far' : null;
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
  rule('dateOfBirth', ['dateOfBirth'], ({ dateOfBirth: birth }, situation) => {
    const today = todayOf(situation);
    if (birth && birth > today) return 'future';
    return birth && ageOn(birth, today) > OLDEST_YEARS ? 'too_old' : null;
  }),
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

export type Checked = {
  /** At most one a field, in the order of the checks. */
  problems: readonly Problem[];
  /** The answers that are valid, one by one and with one another. */
  values: Values;
};

/** Judges all answers at once. */
export function check(answers: Answers, situation: Situation): Checked {
  const found = new Map<Field, Problem>();
  const values: Record<string, unknown> = {};
  for (const one of checks) {
    if (typeof one === 'string') {
      const answer = answers[one] ?? '';
      if (answer.trim() === '' && optional.includes(one)) continue;
      const read = z.safeParse(questions[one], answer);
      if (!read.success) found.set(one, { field: one, ...codeOf(read.error) });
      else if (one === 'phone') readNumber(read.data);
      else values[one] = read.data;
      continue;
    }
    const { field, needs, find } = one;
    if (found.has(field) || needs.some((need) => found.has(need) || !(need in values))) continue;
    const finding = find(values, situation);
    if (finding === null) continue;
    found.set(
      field,
      typeof finding === 'string' ? { field, code: finding } : { field, ...finding },
    );
  }
  function readNumber(tidy: string) {
    const nationality = z.safeParse(questions.nationality, answers.nationality);
    const number = situation.readPhone(tidy, nationality.success ? nationality.data : '');
    if (number.ok) values.phone = number.value;
    else found.set('phone', { field: 'phone', code: number.error });
  }
  for (const field of found.keys()) delete values[field];
  return { problems: [...found.values()], values };
}
