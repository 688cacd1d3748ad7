/**
 * What a traveller brings along (specification, sections 5 and 9). The wizard enforces the first two;
 * `travel-rules.test.ts` holds both to the same figures.
 */

/** Validity of the passport on the day of arrival, in months. */
export const PASSPORT_MONTHS = 6;
/** With a supporting document the traveller enters within so many months after the e-visa is ready. */
export const ENTRY_MONTHS = 3;
/** Stays are counted over so many days, back from each day in Türkiye. */
export const STAY_WINDOW_DAYS = 180;
/** Bank statements cover the last months. */
export const BANK_STATEMENT_MONTHS = 3;
/** The photo that an authority may ask for. */
export const PHOTO = {
  format: 'JPEG',
  largestMegabytes: 1,
  dotsPerInch: 300,
  widthMillimetres: 50,
  heightMillimetres: 60,
  takenWithinMonths: 6,
} as const;
