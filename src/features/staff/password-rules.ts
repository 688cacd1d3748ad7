/** In characters; no other composition is asked for (NIST SP 800-63B-4, 3.1.1.2; ASVS 5.0, 6.2.1). */
export const SHORTEST_PASSWORD = 15;
/** Longer is no password, but work for the hash. */
export const LONGEST_PASSWORD = 200;

/**
 * personal: the product's name or the person's e-mail address is part of it. guessable: common, breached, or made of
 * what anybody would try first.
 */
export type PasswordProblem = 'too_short' | 'too_long' | 'personal' | 'guessable';
