/** An application that is promised within so many hours is due soon. */
export const SOON_HOURS = 2;
