import { addDays, daysInclusive, type PlainDate } from '~/base/dates/dates.ts';
import { choose, noticeOf, type Choice } from '~/base/default-choice.ts';
import { planNamed, type Plan } from './plans.ts';

export { ADULT_YEARS, isMinor } from '~/base/dates/dates.ts';

/** Days of a trip, first and last included; null unless the return is after the first day. */
export const tripDays = (travelDate: PlainDate, returnDate: PlainDate): number | null =>
  returnDate > travelDate ? daysInclusive(travelDate, returnDate) : null;

/** The last insured day: the cover lasts as long as the plan, however long the trip is. */
export const lastInsuredDay = (travelDate: PlainDate, plan: Pick<Plan, 'days'>): PlainDate =>
  addDays(travelDate, plan.days - 1);

export type Offer = {
  readonly plan: Plan;
  /** Shorter than the trip, so it cannot be chosen. */
  readonly isTooShort: boolean;
};

export type Selection = {
  readonly offers: readonly Offer[];
  readonly choice: Choice;
  /** The selected plan; null without dates or a choice, and where no plan is long enough. */
  readonly chosen: Plan | null;
  /** The plan that the visitor chose, although the selected one costs less and covers the trip. */
  readonly cheaper: Plan | null;
  /** The plan that the visitor chose, where it is too short for the dates. */
  readonly ruledOut: Plan | null;
};

/**
 * Which plans can be chosen for a trip, and which one is: the visitor's choice where it covers the trip, otherwise the
 * cheapest that does (`base/default-choice.ts`). `days`: null while the dates are unknown, which changes nothing.
 */
export function selectPlan(sold: readonly Plan[], days: number | null, before: Choice): Selection {
  const offers = sold.map((plan) => ({ plan, isTooShort: days !== null && plan.days < days }));
  const covering = days === null ? null : sold.filter((plan) => plan.days >= days);
  const suitable = covering?.map(({ id, price }) => ({ id, price: price.minor })) ?? null;
  // A choice of a plan that is no longer sold is dropped.
  const wish = planNamed(sold, before.wish) ? before.wish : '';
  const choice = choose({ ...before, wish }, suitable);
  const selected = planNamed(sold, choice.selected);
  const { cheaper, ruledOut } = noticeOf('', choice, suitable);
  return {
    offers,
    choice,
    chosen: covering?.length === 0 ? null : selected,
    cheaper: planNamed(sold, cheaper),
    ruledOut: planNamed(sold, ruledOut),
  };
}
