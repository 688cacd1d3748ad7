/** Least characters; there are no composition rules (NIST SP 800-63B-4, 3.1.1.2; ASVS 5.0, 6.2.1). */
export const SHORTEST_PASSWORD = 15;
/** Most characters, to limit the work of hashing. */
export const LONGEST_PASSWORD = 200;

/**
 * `personal`: contains the product's name or the person's email address. `guessable`: common, breached, or easily
 * guessed.
 */
export type PasswordProblem = 'too_short' | 'too_long' | 'personal' | 'guessable';
