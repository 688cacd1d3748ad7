import { ageOn, type PlainDate } from './dates.ts';

/** Who is younger on the travel date needs a parent's ID (specification, section 9). */
export const ADULT_YEARS = 18;

/** By the age in full years on the first day of the trip. */
export const isMinor = (birth: PlainDate, travelDate: PlainDate): boolean =>
  ageOn(birth, travelDate) < ADULT_YEARS;
