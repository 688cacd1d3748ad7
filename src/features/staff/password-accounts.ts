/** Whose passwords are taken: everybody's, or those of these addresses, in lower case. */
export type PasswordAccounts = 'all' | readonly string[];

/** Whether an account signs in with a password; the others do at the identity provider. */
export const takesPassword = (
  { config }: { config: { passwordAccounts: PasswordAccounts } },
  email: string,
): boolean => config.passwordAccounts === 'all' || config.passwordAccounts.includes(email);

/** Whether an account has a password that is taken; the others sign in at the identity provider alone. */
export const hasPassword = (
  platform: { config: { passwordAccounts: PasswordAccounts } },
  { email, passwordHash }: { email: string; passwordHash: string },
): boolean => passwordHash !== '' && takesPassword(platform, email);
