import { isMinor } from '~/base/dates/dates.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import type { PlacedProblem } from '~/features/form/read-call.server.ts';
import type {
  CheckContext as InsuranceContext,
  InsuranceAnswers,
  InsuranceValues,
} from '~/features/insurance/rules/answers.ts';
import { check as checkInsurance } from '~/features/insurance/rules/check.ts';
import { planNamed, type Plan } from '~/features/insurance/rules/plans.ts';
import type { Zone } from '~/features/visa/passport-reader/zone.ts';
import type { VisaAnswers, CheckContext } from '~/features/visa/rules/answers.ts';
import type { VisaValues } from '~/features/visa/rules/schemas.ts';
import { check } from '~/features/visa/rules/check.ts';

/** One traveller's answers for an e-visa, and the facts they are checked against. */
export type VisaAsked = {
  answers: VisaAnswers;
  checkContext: CheckContext;
  /** The machine-readable lines of the passport, where they were read. */
  zone?: Zone | null;
};

/** The answers of a traveller who is insured without an e-visa; `place`: theirs in a call. */
export type InsuredAsked = { insured: InsuranceAnswers; place?: string };

export type TravellerAsked = VisaAsked | InsuredAsked;

/** An insurance for one traveller with an e-visa; `application`: index into the list. */
export type InsuranceAsked = { application: number; productId: string };

/** `plan`: null for an e-visa alone. */
export type CheckedTraveller =
  | ({ kind: 'visa'; values: VisaValues; plan: Plan | null } & Pick<
      VisaAsked,
      'checkContext' | 'zone'
    >)
  | { kind: 'insurance'; values: InsuranceValues; plan: Plan | null };

export type CheckedGroup = {
  problems: readonly PlacedProblem[];
  /** In the order of the request; only valid where there are no problems. */
  travellers: readonly CheckedTraveller[];
};

const insurancePlace = (index: number, field: string): string => `insurances[${index}].${field}`;

/**
 * Checks an order of several travellers: each one's answers by the rules of a single application, one arrival for all
 * with an e-visa, no passport twice, and who is insured by which plan. `insurances`: null in places that are of others. `context`: for insurances, with the number of
 * photos of a parent's ID for all children.
 */
export function checkGroup(
  travellers: readonly TravellerAsked[],
  insurances: readonly (InsuranceAsked | null)[],
  context: InsuranceContext,
): CheckedGroup {
  const problems: PlacedProblem[] = [];
  const group = (where: string, code: string) =>
    problems.push({ place: where, problem: { field: where, code }, texts: 'group' });
  if (travellers.length === 0) group('applications', 'required');
  if (travellers.length > MAX_TRAVELLERS) group('applications', 'too_many');
  if (problems.length > 0) return { problems, travellers: [] };

  const { plans, photos } = context;
  const placeOf = (index: number, field: string) => {
    const asked = travellers[index];
    return `${(asked && 'place' in asked && asked.place) || `applications[${index}]`}.${field}`;
  };
  const checked = travellers.map((asked, index): CheckedTraveller => {
    if ('insured' in asked) {
      // The photos of all children are asked for together.
      const found = checkInsurance(asked.insured, { ...context, photos: 1 });
      for (const problem of found.problems) {
        problems.push({ place: placeOf(index, problem.field), problem, texts: 'insurance' });
      }
      const { values } = found;
      return { kind: 'insurance', values, plan: planNamed(plans, values.productId ?? '') };
    }
    const { answers, checkContext, zone = null } = asked;
    const found = check(answers, checkContext);
    for (const problem of found.problems) {
      problems.push({ place: placeOf(index, problem.field), problem, texts: 'visa' });
    }
    return { kind: 'visa', values: found.values, checkContext, zone, plan: null };
  });
  const arrival = checked.flatMap((one) =>
    one.kind === 'visa' ? [one.values.arrivalDate] : [],
  )[0];
  const passports = new Set<string>();
  for (const [index, one] of checked.entries()) {
    const { passportNumber } = one.values;
    const isOther = one.kind === 'visa' && one.values.arrivalDate !== arrival;
    if (isOther && arrival && one.values.arrivalDate) {
      group(placeOf(index, 'arrivalDate'), 'differs');
    }
    // Two countries may issue the same number.
    const country = one.kind === 'visa' ? one.checkContext.country?.code : one.values.nationality;
    const passport = passportNumber && `${country} ${passportNumber}`;
    if (passport && passports.has(passport)) group(placeOf(index, 'passportNumber'), 'repeated');
    if (passport) passports.add(passport);
  }

  const insured = new Map<number, Plan>();
  for (const [index, asked] of insurances.entries()) {
    if (!asked) continue;
    const { application, productId } = asked;
    const traveller = checked[application];
    const plan = planNamed(plans, productId);
    if (traveller?.kind !== 'visa') group(insurancePlace(index, 'application'), 'unknown');
    else if (insured.has(application)) group(insurancePlace(index, 'application'), 'repeated');
    else if (!plan) {
      const problem = { field: 'productId', code: 'unknown' };
      problems.push({
        place: insurancePlace(index, 'productId'),
        problem,
        texts: 'insurance',
      });
    } else insured.set(application, plan);
  }
  const withPlans = checked.map((one, index) => ({ ...one, plan: insured.get(index) ?? one.plan }));
  if (withPlans.some(isInsuredChild) && photos === 0) {
    const problem = { field: 'parentIdPhotos', code: 'required' };
    problems.push({ place: 'parentIdPhotos', problem, texts: 'insurance' });
  }
  return { problems, travellers: withPlans };
}

/** Under 18 on the day of arrival: their insurance needs a parent's ID. */
export function isChild(one: CheckedTraveller): boolean {
  const first = one.kind === 'visa' ? one.values.arrivalDate : one.values.travelDate;
  const { dateOfBirth } = one.values;
  return dateOfBirth !== undefined && first !== undefined && isMinor(dateOfBirth, first);
}

/** Whether a traveller is an insured child, whose insurance gets photos of a parent's ID. */
export const isInsuredChild = (one: CheckedTraveller): boolean => one.plan !== null && isChild(one);
