import { ADULT_YEARS } from '~/base/dates/dates.ts';

/** Validity that Türkiye asks of a passport on the day of arrival, in months (specification, sections 5 and 9). */
export const PASSPORT_MONTHS = 6;
/** With a supporting document the traveller enters within so many months after the promised moment. */
export const ENTRY_MONTHS = 3;
/** With a supporting document all stays together are no longer than so many days, */
const STAY_DAYS = 30;
/** counted back over so many days from each day in Türkiye. */
export const STAY_WINDOW_DAYS = 180;
/** An arrival or a journey begins this year or in one of so many years after it. */
export const YEARS_AHEAD = 10;

/** The photos of a parent's ID. */
export const MOST_PHOTOS = 4;
const LARGEST_PHOTO_MEGABYTES = 5;
export const LARGEST_PHOTO_BYTES = LARGEST_PHOTO_MEGABYTES * 1024 * 1024;
/** Telephones take so many; what says it has more is meant to fill our memory. */
const PHOTO_MEGAPIXELS = 50;
export const MOST_PIXELS = PHOTO_MEGAPIXELS * 1_000_000;

/** The limits under the names by which texts of both forms say them. */
export const limitsInTexts = {
  passportMonths: PASSPORT_MONTHS,
  entryMonths: ENTRY_MONTHS,
  stayDays: STAY_DAYS,
  stayWindow: STAY_WINDOW_DAYS,
  yearsAhead: YEARS_AHEAD,
  adult: ADULT_YEARS,
  photos: MOST_PHOTOS,
  megabytes: LARGEST_PHOTO_MEGABYTES,
  megapixels: PHOTO_MEGAPIXELS,
} as const;
