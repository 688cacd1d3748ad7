import { isMinor, type PlainDate } from '~/base/dates/dates.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import type { PlacedProblem } from '~/features/form/read-call.server.ts';
import { planNamed, type Plan } from '~/features/insurance/rules/plans.ts';
import type { Zone } from '~/features/visa/passport-reader/zone.ts';
import type { VisaAnswers, CheckContext } from '~/features/visa/rules/answers.ts';
import type { VisaValues } from '~/features/visa/rules/schemas.ts';
import { check } from '~/features/visa/rules/check.ts';

/** One traveller's answers, and the facts they are checked against. */
export type TravellerAsked = {
  answers: VisaAnswers;
  checkContext: CheckContext;
  /** The machine-readable lines of the passport, where they were read. */
  zone?: Zone | null;
};

/** An insurance for one traveller; `application`: index into the list. */
export type InsuranceAsked = { application: number; productId: string };

export type CheckedTraveller = Pick<TravellerAsked, 'checkContext' | 'zone'> & {
  values: VisaValues;
  plan: Plan | null;
};

export type CheckedGroup = {
  problems: readonly PlacedProblem[];
  /** In the order of the request; only valid where there are no problems. */
  travellers: readonly CheckedTraveller[];
};

const place = (list: 'applications' | 'insurances', index: number, field: string): string =>
  `${list}[${index}].${field}`;

/**
 * Checks an order of several travellers: each one's answers by the rules of a single application, one arrival for all,
 * no passport twice, and who is insured by which plan. `photos`: number of photos of a parent's ID.
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
  if (travellers.length > MAX_TRAVELLERS) group('applications', 'too_many');
  if (problems.length > 0) return { problems, travellers: [] };

  const checked = travellers.map(({ answers, checkContext, zone = null }, index) => {
    const found = check(answers, checkContext);
    for (const problem of found.problems) {
      problems.push({ place: place('applications', index, problem.field), problem, texts: 'visa' });
    }
    return { values: found.values, checkContext, zone };
  });
  const [first] = checked;
  const passports = new Set<string>();
  for (const [index, { values, checkContext }] of checked.entries()) {
    const { arrivalDate, passportNumber } = values;
    if (arrivalDate && first?.values.arrivalDate && arrivalDate !== first.values.arrivalDate) {
      group(place('applications', index, 'arrivalDate'), 'differs');
    }
    // Two countries may issue the same number.
    const passport = passportNumber && `${checkContext.country?.code} ${passportNumber}`;
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

/** Under 18 on the day of arrival: their insurance needs a parent's ID. */
export const isChild = ({
  dateOfBirth,
  arrivalDate,
}: { dateOfBirth?: PlainDate | undefined; arrivalDate?: PlainDate | undefined } = {}): boolean =>
  dateOfBirth !== undefined && arrivalDate !== undefined && isMinor(dateOfBirth, arrivalDate);

/** Whether a traveller is an insured child, whose insurance gets photos of a parent's ID. */
export const isInsuredChild = ({ plan, values }: CheckedTraveller): boolean =>
  plan !== null && isChild(values);
