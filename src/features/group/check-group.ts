import type { PlainDate } from '~/base/dates/dates.ts';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';
import type { Problem } from '~/features/form/answers/check.ts';
import { planNamed, type Plan } from '~/features/insurance/rules/plans.ts';
import { isMinor } from '~/features/insurance/rules/trip.ts';
import type { Zone } from '~/features/visa/passport-reader/zone.ts';
import type { Answers, Situation, Values } from '~/features/visa/rules/answers.ts';
import { check } from '~/features/visa/rules/check.ts';

/** What is asked for one traveller: the answers, and what they are judged against. */
export type TravellerAsked = {
  answers: Answers;
  situation: Situation;
  /** What was read from the passport, where somebody had it read. */
  zone?: Zone | null;
};

/** An insurance for one of the travellers, `application` being the place in the list, from 0. */
export type InsuranceAsked = { application: number; productId: string };

/** A problem with its place in the call (`applications[1].passportExpiryDate`), and whose texts say it. */
export type PlacedProblem = {
  place: string;
  problem: Problem;
  texts: 'visa' | 'insurance' | 'group';
};

export type CheckedTraveller = Pick<TravellerAsked, 'situation' | 'zone'> & {
  values: Values;
  plan: Plan | null;
};

export type CheckedGroup = {
  problems: readonly PlacedProblem[];
  /** In the order of the call; to be used without problems alone. */
  travellers: readonly CheckedTraveller[];
};

const place = (list: 'applications' | 'insurances', index: number, field: string): string =>
  `${list}[${index}].${field}`;

/**
 * Checks an order of several travellers: each one's answers by the rules of one application, one arrival for all, no
 * passport twice, and who is to be insured by which plan. `photos`: how many photos of a parent's ID came along.
 */
export function checkGroup(
  travellers: readonly TravellerAsked[],
  insurances: readonly InsuranceAsked[],
  { plans, photos }: { plans: readonly Plan[]; photos: number },
): CheckedGroup {
  const problems: PlacedProblem[] = [];
  const group = (where: string, code: string) =>
    problems.push({ place: where, problem: { field: where, code }, texts: 'group' });
  if (travellers.length === 0) group('applications', 'required');
  if (travellers.length > MOST_TRAVELLERS) group('applications', 'too_many');
  if (problems.length > 0) return { problems, travellers: [] };

  const checked = travellers.map(({ answers, situation, zone = null }, index) => {
    const found = check(answers, situation);
    for (const problem of found.problems) {
      problems.push({ place: place('applications', index, problem.field), problem, texts: 'visa' });
    }
    return { values: found.values, situation, zone };
  });
  const [first] = checked;
  const passports = new Set<string>();
  for (const [index, { values, situation }] of checked.entries()) {
    const { arrivalDate, passportNumber } = values;
    if (arrivalDate && first?.values.arrivalDate && arrivalDate !== first.values.arrivalDate) {
      group(place('applications', index, 'arrivalDate'), 'differs');
    }
    // Two countries may give out the same number.
    const passport = passportNumber && `${situation.country?.code} ${passportNumber}`;
    if (passport && passports.has(passport)) {
      group(place('applications', index, 'passportNumber'), 'repeated');
    }
    if (passport) passports.add(passport);
  }

  const insured = new Map<number, Plan>();
  for (const [index, { application, productId }] of insurances.entries()) {
    const traveller = checked[application];
    const plan = planNamed(plans, productId);
    if (!traveller) group(place('insurances', index, 'application'), 'unknown');
    else if (insured.has(application)) group(place('insurances', index, 'application'), 'repeated');
    else if (!plan) {
      const problem = { field: 'productId', code: 'unknown' };
      problems.push({
        place: place('insurances', index, 'productId'),
        problem,
        texts: 'insurance',
      });
    } else insured.set(application, plan);
  }
  const needsPhotos = [...insured.keys()].some((index) => isChild(checked[index]?.values));
  if (needsPhotos && photos === 0) {
    const problem = { field: 'parentIdPhotos', code: 'required' };
    problems.push({ place: 'parentIdPhotos', problem, texts: 'insurance' });
  }
  return {
    problems,
    travellers: checked.map((one, index) => ({ ...one, plan: insured.get(index) ?? null })),
  };
}

/** Under age on the day of arrival: an insurance needs a parent's ID then. */
export const isChild = ({
  dateOfBirth,
  arrivalDate,
}: { dateOfBirth?: PlainDate | undefined; arrivalDate?: PlainDate | undefined } = {}): boolean =>
  dateOfBirth !== undefined && arrivalDate !== undefined && isMinor(dateOfBirth, arrivalDate);
