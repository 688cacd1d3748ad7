import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { ENTRY_MONTHS } from '~/features/application/entry-rule.ts';

/** Months that a passport must be valid on the day of arrival: at least six, by the customer's specification. */
export const PASSPORT_MONTHS = 6;
/** Days that all stays together may last with a supporting document, */
const STAY_DAYS = 30;
/** within so many days, counted back from each day in Türkiye. */
export const STAY_WINDOW_DAYS = 180;
/** Years after this one in which an arrival or a journey may begin. */
export const YEARS_AHEAD = 10;

/** Most photos of a parent's ID. */
export const MAX_PHOTOS = 4;
const MAX_PHOTO_MEGABYTES = 5;
export const MAX_PHOTO_BYTES = MAX_PHOTO_MEGABYTES * 1024 * 1024;
/** Megapixels of a photo; phones take fewer. A larger picture could exhaust the memory. */
const PHOTO_MEGAPIXELS = 50;
export const MAX_PHOTO_PIXELS = PHOTO_MEGAPIXELS * 1_000_000;

/** The limits by the names of their placeholders in the texts of both forms. */
export const limitsInTexts = {
  passportMonths: PASSPORT_MONTHS,
  entryMonths: ENTRY_MONTHS,
  stayDays: STAY_DAYS,
  stayWindow: STAY_WINDOW_DAYS,
  yearsAhead: YEARS_AHEAD,
  adult: ADULT_YEARS,
  photos: MAX_PHOTOS,
  megabytes: MAX_PHOTO_MEGABYTES,
  megapixels: PHOTO_MEGAPIXELS,
} as const;

/** Days that a link to a draft by email works; the draft itself is kept two days longer. */
export const LINK_DAYS = 28;
