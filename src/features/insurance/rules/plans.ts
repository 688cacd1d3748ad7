import { usd, type Money } from '~/base/money.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { addDays, daysInclusive, type PlainDate } from '~/base/dates/dates.ts';
import { choose, choiceNotice, type FormChoice } from '~/base/default-choice.ts';

export type Plan = {
  /** The API's `productId`. */
  readonly id: ServiceCode;
  /** In English, for the API; pages write the length of the cover in their language. */
  readonly name: string;
  /** Length of the cover in days, first and last included. */
  readonly days: number;
  readonly price: Money;
};

const inDays = (days: 7 | 14 | 30 | 60 | 90 | 180, dollars: number): Plan => ({
  id: `${days}-days`,
  name: `${days} Days Coverage`,
  days,
  price: usd(dollars * 100),
});

export const YEAR_DAYS = 365;

/**
 * The seven plans by length of cover with the prices of the customer's specification, shortest and cheapest first. They
 * are seeded once; from then on the table says what is sold.
 */
export const plans = [
  inDays(7, 114),
  inDays(14, 149),
  inDays(30, 189),
  inDays(60, 249),
  inDays(90, 299),
  inDays(180, 399),
  { id: '1-year', name: '1 Year Coverage', days: YEAR_DAYS, price: usd(549_00) },
] as const satisfies readonly [Plan, ...Plan[]];

/** The shortest plan that covers a trip of so many days; null where none does. `sold`: shortest first. */
export const shortestPlan = (sold: readonly Plan[], tripDays: number): Plan | null =>
  sold.find(({ days }) => days >= tripDays) ?? null;

/** The longest trip that can be insured, in days. */
export const longestTrip = (sold: readonly Plan[]): number =>
  Math.max(0, ...sold.map(({ days }) => days));

/** The plan with that id, or null. */
export const planNamed = (sold: readonly Plan[], id: string): Plan | null =>
  sold.find((plan) => plan.id === id) ?? null;

type Words = (key: 'year' | 'days', values?: { count: number }) => string;

/** The length of a plan's cover in words: "30 days", "1 year". `t` is of the namespace `certificate` or `insurance`. */
export const planLength = (days: number, t: Words): string =>
  days === YEAR_DAYS ? t('year') : t('days', { count: days });

/** Days of a trip, first and last included; null unless the return is after the first day. */
export const tripDays = (travelDate: PlainDate, returnDate: PlainDate): number | null =>
  returnDate > travelDate ? daysInclusive(travelDate, returnDate) : null;

/** The last insured day: the cover lasts as long as the plan, however long the trip is. */
export const lastInsuredDay = (travelDate: PlainDate, plan: Pick<Plan, 'days'>): PlainDate =>
  addDays(travelDate, plan.days - 1);

type PlanOffer = {
  readonly plan: Plan;
  /** Shorter than the trip, so it cannot be chosen. */
  readonly isTooShort: boolean;
};

export type Selection = {
  readonly offers: readonly PlanOffer[];
  readonly choice: FormChoice;
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
export function selectPlan(
  sold: readonly Plan[],
  days: number | null,
  before: FormChoice,
): Selection {
  const offers = sold.map((plan) => ({ plan, isTooShort: days !== null && plan.days < days }));
  const covering = days === null ? null : sold.filter((plan) => plan.days >= days);
  const suitable = covering?.map(({ id, price }) => ({ id, price: price.minor })) ?? null;
  // A choice of a plan that is no longer sold is dropped.
  const wish = planNamed(sold, before.wish) ? before.wish : '';
  const choice = choose({ ...before, wish }, suitable);
  const selected = planNamed(sold, choice.selected);
  const { cheaper, ruledOut } = choiceNotice('', choice, suitable);
  return {
    offers,
    choice,
    chosen: covering?.length === 0 ? null : selected,
    cheaper: planNamed(sold, cheaper),
    ruledOut: planNamed(sold, ruledOut),
  };
}
