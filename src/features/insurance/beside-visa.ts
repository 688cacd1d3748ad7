import { isMinor, type PlainDate } from '~/base/dates/dates.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { shortestPlan, type Plan, lastInsuredDay } from './rules/plans.ts';
import type { InsuranceInput } from './purchase/submit.server.ts';
import type { OnSale } from './store/plan-store.server.ts';

/** The insurance offered, not preselected, beside an e-visa. */
export type BesideVisa = {
  /** The plans with the last day of their cover; the suggested one, which covers the longest stay, first. */
  choices: readonly (Plan & { until: PlainDate })[];
  suggested: string;
  /** The insurer, and the version of its terms. */
  terms: { insurer: string | null; version: number };
};

/**
 * What can be insured beside an e-visa; null for travellers under 18 (they need a parent's ID, which the insurance page
 * takes) and where no plan is long enough. `stayDays`: what the e-visa allows.
 */
export function offerBesideVisa(
  { plans, terms }: OnSale,
  {
    dateOfBirth,
    arrivalDate,
    stayDays,
  }: { dateOfBirth: PlainDate; arrivalDate: PlainDate; stayDays: number },
): BesideVisa | null {
  const suggested = shortestPlan(plans, stayDays);
  if (!suggested || !terms || isMinor(dateOfBirth, arrivalDate)) return null;
  const sorted = [suggested, ...plans.filter(({ id }) => id !== suggested.id)];
  return {
    choices: sorted.map((plan) => ({ ...plan, until: lastInsuredDay(arrivalDate, plan) })),
    suggested: suggested.id,
    terms: { insurer: terms.insurer, version: terms.version },
  };
}

/** The insurance of an e-visa's traveller: from the day of arrival, as long as the plan. */
export const insuranceBesideVisa = (
  plan: Plan,
  traveller: Traveller,
  arrivalDate: PlainDate,
): InsuranceInput => ({
  plan,
  traveller,
  trip: { travelDate: arrivalDate, returnDate: lastInsuredDay(arrivalDate, plan) },
});
