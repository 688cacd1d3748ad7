import { addDays, daysInclusive, type PlainDate } from '~/base/dates/dates.ts';
import { choose, noticeOf, type Choice } from '~/base/default-choice.ts';
import { planNamed, type Plan } from './plans.ts';

export { ADULT_YEARS, isMinor } from '~/base/dates/dates.ts';

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
  readonly choice: Choice;
  /** What is selected; null without dates or wish, and where no plan is long enough. */
  readonly chosen: Plan | null;
  /** What the visitor chose himself although this one costs less and covers the trip as well. */
  readonly cheaper: Plan | null;
  /** The visitor's own choice, where it is too short for the dates. */
  readonly ruledOut: Plan | null;
};

/**
 * What can be chosen for a trip, and what is: the visitor's own choice where it covers the trip, else the cheapest plan that
 * does (`base/default-choice.ts`). `days` is null while the dates are not known: that decides nothing.
 */
export function selectPlan(sold: readonly Plan[], days: number | null, before: Choice): Selection {
  const offers = sold.map((plan) => ({ plan, isTooShort: days !== null && plan.days < days }));
  const covering = days === null ? null : sold.filter((plan) => plan.days >= days);
  const suitable = covering?.map(({ id, price }) => ({ id, price: price.minor })) ?? null;
  // A plan that is sold no more is nobody's choice.
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
