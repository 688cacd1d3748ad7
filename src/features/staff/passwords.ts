/** Least characters; there are no composition rules (NIST SP 800-63B-4, 3.1.1.2; ASVS 5.0, 6.2.1). */
export const MIN_PASSWORD_LENGTH = 15;
/** Most characters, to limit the work of hashing. */
export const MAX_PASSWORD_LENGTH = 200;

/**
 * `personal`: contains the product's name or the person's email address. `guessable`: common, breached, or easily
 * guessed.
 */
export type PasswordProblem = 'too_short' | 'too_long' | 'personal' | 'guessable';

/** Whose passwords are taken: everybody's, or those of these addresses, in lower case. */
export type PasswordAccounts = 'all' | readonly string[];

/** Whether an account signs in with a password; the others do at the identity provider. */
export const usesPassword = (
  { config }: { config: { passwordAccounts: PasswordAccounts } },
  email: string,
): boolean => config.passwordAccounts === 'all' || config.passwordAccounts.includes(email);

/** Whether an account has a password that is taken; the others sign in at the identity provider alone. */
export const hasPassword = (
  platform: { config: { passwordAccounts: PasswordAccounts } },
  { email, passwordHash }: { email: string; passwordHash: string },
): boolean => passwordHash !== '' && usesPassword(platform, email);
