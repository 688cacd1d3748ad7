/** So many starts that fail one after the other, and a partner counts as down. */
export const FAILURES = 5;
