/** So many nationalities the statistics draw; the file has all. */
export const TOP_NATIONALITIES = 10;
