/** What a traveller brings along beside what the forms ask for (specification, sections 5 and 9). */

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
