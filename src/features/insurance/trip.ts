import { addDays, daysInclusive, type PlainDate } from '~/base/dates.ts';
import { planFor, planNamed, type Plan } from './plans.ts';

export { ADULT_YEARS, isMinor } from '~/base/age.ts';

/** Days of a trip, first and last included; null unless the return is after the first day. */
export const tripDays = (travelDate: PlainDate, returnDate: PlainDate): number | null =>
  returnDate > travelDate ? daysInclusive(travelDate, returnDate) : null;

/** The last insured day: the cover runs for the whole length of the plan, however long the trip is. */
export const lastInsuredDay = (travelDate: PlainDate, plan: Pick<Plan, 'days'>): PlainDate =>
  addDays(travelDate, plan.days - 1);

export type Offer = {
  readonly plan: Plan;
  /** Shorter than the trip; it cannot be chosen. */
  readonly isTooShort: boolean;
};

export type Selection = {
  readonly offers: readonly Offer[];
  /** What is chosen: the wish if it covers the trip, else the shortest plan that does; null without dates or wish. */
  readonly chosen: Plan | null;
};

/** What can be chosen for a trip. `days` is null while the dates are not known. */
export function selectPlan(sold: readonly Plan[], days: number | null, wish: string): Selection {
  const offers = sold.map((plan) => ({ plan, isTooShort: days !== null && plan.days < days }));
  const wished = planNamed(sold, wish);
  if (days === null) return { offers, chosen: wished };
  const keeps = wished !== null && wished.days >= days;
  return { offers, chosen: keeps ? wished : planFor(sold, days) };
}
