/** What travellers need besides what the forms ask for, with the figures of the customer's specification. */

/** Months that bank statements must cover. */
export const BANK_STATEMENT_MONTHS = 3;
/** The photo that authorities may ask for. */
export const PHOTO = {
  format: 'JPEG',
  largestMegabytes: 1,
  dotsPerInch: 300,
  widthMillimetres: 50,
  heightMillimetres: 60,
  takenWithinMonths: 6,
} as const;
